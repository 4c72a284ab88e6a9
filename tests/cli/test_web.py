"""The site as people start it: beside a server or by itself, killed, and told what cannot be."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from support.certificates import Files
from support.commands import assert_told, ordago
from support.processes import is_running

SECONDS = 40.0


@contextmanager
def started(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a command, and give its process and where its site is."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-m", "ordago", *arguments], stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"the site is at (\S+?)/?(;|$)", line):
                yield process, found[1]
                break
        else:
            pytest.fail((folder / "log").read_text())
    finally:
        process.kill()
        process.communicate()


def page(url: str) -> str:
    """Return a page, as soon as somebody answers."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            request = urllib.request.Request(url, headers={"Accept": "text/html"})  # noqa: S310 - it is http
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
                return answer.read().decode()
        except (OSError, urllib.error.URLError) as error:
            if isinstance(error, urllib.error.HTTPError) or time.monotonic() > end:
                raise
            time.sleep(0.1)


def wait_for(seen, what: str) -> None:
    """Wait until something is seen."""
    end = time.monotonic() + SECONDS
    while not seen():
        assert time.monotonic() < end, f"{what}: it was not seen"
        time.sleep(0.2)


def site_process(server: subprocess.Popen[str]) -> int:
    """Return the process of the site that a server has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == str(server.pid) and b"ordago_web.process" in (folder / "cmdline").read_bytes():
                return int(folder.name)
    raise AssertionError("there is no site")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")
def test_a_ladder_is_shown_by_a_process_that_is_started_again_and_ends_with_its_server(tmp_path: Path):
    arguments = ("serve", "--ladder", "demo", "--data", str(tmp_path / "data"), "--address", "127.0.0.1:0")
    with started(*arguments, "--web", "127.0.0.1:0", folder=tmp_path) as (server, url):
        assert "Ladder for a demonstration" in page(f"{url}/api/v1/ladder") or "house-random" in page(f"{url}/")
        wait_for(lambda: "/watch" in page(f"{url}/live"), "bots of the house play among themselves, to be looked at")
        first = site_process(server)
        assert os.getpriority(os.PRIO_PROCESS, first) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
        assert os.getpgid(first) == first, "Ctrl-C is for the server alone"
        os.kill(first, signal.SIGKILL)
        assert json.loads(page(f"{url}/health")) == {"status": "ok"}
        second = site_process(server)
        assert second != first
        log = (tmp_path / "log").read_text()
        assert "the site is down" in log
        assert "the site is up again" in log
        server.send_signal(signal.SIGINT)
        server.wait(SECONDS)
        assert not is_running(second)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it looks at /proc")
def test_a_site_ends_when_its_server_is_killed(tmp_path: Path):
    arguments = ("serve", "--tables", "mittlere", "--address", "127.0.0.1:0", "--web", "127.0.0.1:0")
    with started(*arguments, folder=tmp_path) as (server, url):
        assert "No event has been published" in page(f"{url}/")
        site = site_process(server)
        server.kill()
        server.wait(SECONDS)
        end = time.monotonic() + SECONDS
        while is_running(site):
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.slow
def test_the_site_of_a_server_writes_its_log_in_the_same_format(tmp_path: Path):
    files = Files(tmp_path)
    files.issue(files.authority, ends=timedelta(days=3))
    certificate = ("--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    arguments = ("serve", "--tables", "mittlere", "--address", "127.0.0.1:0", "--log-format", "json", *certificate)
    with started(*arguments, "--web", "127.0.0.1:0", folder=tmp_path):
        log = tmp_path / "log"
        wait_for(lambda: log.read_text().count("server.pem expires on") == 2, "the server tells it, and its site")
    for line in log.read_text().splitlines():
        assert json.loads(line)["event"]


@pytest.mark.slow
def test_folders_are_shown_without_a_server(tmp_path: Path):
    event = tmp_path / "spring"
    event.mkdir()
    (event / "index.html").write_text("<h1>Spring</h1>")
    with started("web", str(event), "--address", "127.0.0.1:0", folder=tmp_path) as (process, url):
        assert page(f"{url}/events/spring/") == "<h1>Spring</h1>"
        # Its terminal is closed, which ends it as Ctrl-C does.
        process.send_signal(signal.SIGHUP)
        assert process.wait(SECONDS) == 0
        assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "choose what to show"),
        (("nowhere",), 3, "nowhere is not a published folder"),
        (("--server", "nonsense"), 2, "--server: 'nonsense' is not HOST:PORT, [IPv6]:PORT or unix:PATH"),
        (("--server", "127.0.0.1:1", "--address", "8080"), 2, "--address: '8080' is not HOST:PORT"),
        (("--server", "127.0.0.1:1", "--address", "192.0.2.1:80"), 3, "cannot listen on 192.0.2.1:80"),
        (("--server", "127.0.0.1:1", "--origin", "cards.example"), 2, "an origin is written https://HOST"),
        (("--server", "127.0.0.1:1", "--origin", "https://a@cards.example"), 2, "an origin is written https://HOST"),
        (("--server", "127.0.0.1:1", "--site-cert", "x"), 2, "--site-cert and --site-key belong together"),
        (("--server", "127.0.0.1:1", "--site-cert", "x", "--site-key", "y"), 3, "cannot read x: No such file"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(arguments: tuple[str, ...], code: int, words: str):
    assert_told(ordago("web", *arguments), code, words)


def site_with(files: Files, *more: str) -> Result:
    """Start a site with a certificate."""
    return ordago("web", "--server", "127.0.0.1:1", "--site-cert", files.certificate, "--site-key", files.key, *more)


def test_a_certificate_that_is_not_good_keeps_a_site_from_starting(tmp_path: Path):
    files = Files(tmp_path)
    files.issue(files.authority, begins=-timedelta(days=9), ends=-timedelta(days=1))
    assert_told(site_with(files), 3, "expired on")
    files.issue(files.authority)
    files.certificate.write_bytes(b"")
    assert_told(site_with(files), 3, "are not a certificate and its key")


def test_a_certificate_that_expires_soon_is_logged_at_the_start(tmp_path: Path):
    files = Files(tmp_path)
    files.issue(files.authority, ends=timedelta(days=9))
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        told = site_with(files, "--address", f"127.0.0.1:{busy.getsockname()[1]}")
    assert told.exit_code == 3, "it came as far as to listen"
    assert "server.pem expires on" in told.output


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--web", "x"), 2, "'x' is not HOST:PORT"),
        (("--web-origin", "https://cards.example"), 2, "are for a site: --web HOST:PORT"),
        (("--web-contact", "ana@cards.example"), 2, "are for a site: --web HOST:PORT"),
        (("--web", "127.0.0.1:0", "--web-contact", "ana"), 2, "--web-contact: a contact is written NAME@HOST"),
        (("--web", "192.0.2.1:0"), 2, "other machines can connect"),
    ],
)
def test_what_a_server_cannot_show_is_told_in_a_sentence(arguments: tuple[str, ...], code: int, words: str):
    assert_told(ordago("serve", "--tables", "mittlere", *arguments), code, words)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert_told(ordago("web", "--server", "127.0.0.1:1"), 2, "pip install 'ordago[web]'")
