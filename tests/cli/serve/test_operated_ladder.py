"""A ladder on real processes under its operator: a pause from before the start, a session that is ended, the site."""

import json
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import ordago
from support.ladder_server import Server, a_bot

PAUSE = "a new <b>disk</b>"
LONGEST_SECONDS = 120


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(data: Path) -> Iterator[Server]:
    """A ladder whose seating was paused before it started."""
    for account, scope in (("ana", "play"), ("root", "admin")):
        made = ordago("token", "create", "--data", data, "--account", account, "--scope", scope)
        (data / f"{account}.token").write_text(made.stdout)
    assert ordago("seating", "pause", PAUSE, "--data", data).exit_code == 0
    server = Server("demo", data, "--tokens", "--web", "127.0.0.1:0")
    assert server.process.stdout is not None
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def awaited(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + LONGEST_SECONDS
    while not (found := look()):
        assert time.monotonic() < deadline
        # Whoever asks all the time is told to come later.
        time.sleep(0.2)
    return found


@pytest.mark.slow
def test_an_operator_pauses_looks_resumes_and_ends_a_session(server: Server, data: Path) -> None:
    operator = ["--server", server.address, "--token-file", str(data / "root.token")]
    site = server.process.stdout.readline().split()[-1].rstrip("/")  # type: ignore[union-attr]

    def sessions() -> Any:
        return json.loads(ordago("session", "list", *operator, "--json").stdout)["sessions"]

    server.await_logged("seating paused")
    with a_bot(server.address, "ana", "--token-file", str(data / "ana.token")):
        [session] = awaited(sessions)
        assert (session["account"], session["bot"], session["matches"]) == ("ana", "ana", "0")
        page = awaited(lambda: shown if "announcements" in (shown := read(f"{site}/play")) else "")
        assert "a new &lt;b&gt;disk&lt;/b&gt;" in page
        status = json.loads(read(f"{site}/api/v1/status"))
        assert [one["pausesSeating"] for one in status["announcements"]] == [True]
        assert not server.logged("match begun")
        assert ordago("seating", "resume", *operator).exit_code == 0
        server.await_logged("match begun")
        assert ordago("session", "end", session["session"], "--reason", "enough", *operator).exit_code == 0
        assert awaited(lambda: not sessions())
    assert server.end(signal.SIGTERM) == 0


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=LONGEST_SECONDS) as answer:  # noqa: S310 - our own site
        return str(answer.read().decode())
