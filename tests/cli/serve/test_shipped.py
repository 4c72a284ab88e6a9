"""The unit and the image that come with Ordago serve tables, a ladder and a site by the lines of the documentation."""

import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import grpc
import pytest
import yaml
from grpc_health.v1 import health_pb2, health_pb2_grpc
from support.certificates import Files
from support.programs import need_program
from support.shipped import ROOT, SECONDS, Image, Place, Started, Unit, section, started

from ordago_cli.program import program

LINES = re.findall(r"^ORDAGO_SERVE=(.+)$", section("systemd"), flags=re.MULTILINE)
BEHIND_THE_IMAGE = [
    shlex.split(line) for line in re.findall(r"^podman run … ordago (--.+)$", section("Containers"), flags=re.MULTILINE)
]
LADDER = """
[ladder]
name = "cards"

[[game]]
name = "mittlere"
options = { deals = 3 }

[[house]]
name = "house-random"
house = "random"
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a machine on which all lies that the documentation names."""
    for folder in ("etc/ordago", "run/credentials/ordago.service", "var/lib/ordago", "data", "records"):
        (tmp_path / folder).mkdir(parents=True, mode=0o700)
    for file in ("etc/ordago/ladder.toml", "data/ladder.toml"):
        (tmp_path / file).write_text(LADDER)
    return Place(tmp_path)


@pytest.fixture
def files(place: Place) -> Files:
    """Return the certificate and the key in ``/etc/ordago``, which systemd has handed over."""
    files = Files(place.folder / "etc/ordago")
    for name, source in Unit().credentials().items():
        shutil.copy(place.here(source), place.folder / "run/credentials/ordago.service" / name)
    return files


def assert_serves(server: Started, words: Sequence[str], authority: bytes | None = None) -> None:
    """Check that whatever it was told to serve answers, where it was told to."""
    kind = next(word for word in ("tables", "ladder") if f"--{word}" in words)
    assert f"; {kind}: " in server.said("listening on ")
    address = f"127.0.0.1:{server.place.port('7447')}"
    secure = grpc.ssl_channel_credentials(authority)
    with grpc.secure_channel(address, secure) if authority else grpc.insecure_channel(address) as channel:
        asked = health_pb2.HealthCheckRequest()
        answer = health_pb2_grpc.HealthStub(channel).Check(asked, timeout=SECONDS)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    if "--web" in words:
        assert_shows(server, words[words.index("--web") + 1].rpartition(":")[2], authority)


def assert_shows(server: Started, port: str, authority: bytes | None) -> None:
    server.said("the site is at ")
    own = ssl.create_default_context(cadata=authority.decode()) if authority else None
    url = f"{'https' if authority else 'http'}://127.0.0.1:{server.place.port(port)}/"
    with urllib.request.urlopen(url, timeout=SECONDS, context=own) as answer:  # noqa: S310 - ours
        assert answer.status == 200


def assert_healthy(place: Place) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{place.port('9447')}/health", timeout=SECONDS) as answer:
        assert answer.status == 200


def assert_ends(server: Started) -> None:
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(SECONDS) == 0


def test_the_documentation_has_lines_for_tables_a_ladder_and_a_site() -> None:
    for lines in (LINES, map(shlex.join, BEHIND_THE_IMAGE)):
        told = "\n".join(lines)
        assert all(option in told for option in ("--tables ", "--ladder ", "--web ", "--tokens"))
    assert all("--tls-key" in line for line in LINES[1:])


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_the_unit_serves_what_its_environment_file_says(line: str, place: Place, files: Files) -> None:
    unit, file = Unit(), {"ORDAGO_SERVE": line}
    words = unit.command(file)
    with started(words, unit.environment(file), place) as server:
        assert_serves(server, words, files.authority.cert_pem.bytes() if "--tls-cert" in words else None)
        assert_healthy(place)
        assert_ends(server)
    kept = {path.name for path in (place.folder / "var/lib" / unit.one("StateDirectory")).iterdir()}
    assert kept >= ({"ladders", "accounts.sqlite"} if "--ladder" in words else {"journal", "records"})


@pytest.mark.slow
def test_the_unit_starts_a_server_again_that_failed_and_no_command_line_that_is_wrong(place: Place) -> None:
    unit = Unit()
    words, environment = unit.command({}), unit.environment({})
    with started(words, environment, place) as first:
        first.said("listening on ")
        with started(words, environment, place) as second:
            assert unit.starts_anew_after(second.process.wait(SECONDS))
        first.process.kill()
        assert unit.starts_anew_after(first.process.wait(SECONDS))
    with started(words, environment, place) as again:
        assert_serves(again, words)
        assert_healthy(place)
        assert_ends(again)
    wrong = unit.command({"ORDAGO_SERVE": "--tables patience"})
    with started(wrong, environment, place) as server:
        assert not unit.starts_anew_after(server.process.wait(SECONDS))


def test_the_unit_hands_over_each_file_that_its_lines_name_and_that_only_root_may_read() -> None:
    unit = Unit()
    handed = {f"/run/credentials/ordago.service/{name}" for name in unit.credentials()}
    named = set(re.findall(r"--tls-(?:cert|key) (\S+)", "\n".join(LINES)))
    assert named == handed
    # Where there is none, it starts all the same.
    assert {line.partition(":")[0] for line in unit.all_of("SetCredential")} == unit.credentials().keys()


def test_the_server_is_given_the_time_that_it_takes_to_go_down() -> None:
    words = Unit().command({})
    longest = float(words[words.index("--grace") + 1]) + 30 + 10
    assert float(Unit().one("TimeoutStopSec")) > longest
    [stop] = re.findall(r"--stop-timeout (\d+)", section("Containers"))
    assert float(stop) > longest


@pytest.mark.parametrize("name", [path.name for path in (ROOT / "deploy").glob("ordago*.[st]*")])
def test_systemd_finds_nothing_wrong_with_the_units(name: str, tmp_path: Path) -> None:
    need_program("systemd-analyze", to="look at the unit with")
    for path in (ROOT / "deploy").glob("ordago*.[st]*"):
        text = path.read_text(encoding="utf-8").replace("/opt/ordago/bin/ordago", str(shutil.which("true")))
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    looked = subprocess.run(["systemd-analyze", "verify", tmp_path / name], capture_output=True, text=True, check=False)  # noqa: S603, S607 - what is installed
    assert (looked.returncode, looked.stderr) == (0, "")


@pytest.mark.slow
def test_the_backup_of_a_day_of_the_week_replaces_the_one_before(place: Place, tmp_path: Path) -> None:
    """While the server runs, by the same user, whose folder the unit names first."""
    unit, backup, file = Unit(), Unit("ordago-backup.service"), {"ORDAGO_SERVE": LINES[-1].partition(" --tls-cert")[0]}
    folders = backup.environment({})["STATE_DIRECTORY"].split(":")
    assert folders[0] == unit.environment({})["STATE_DIRECTORY"]
    backups = Path(place.here(folders[1]))
    backups.mkdir()
    shell, option, line = backup.command({})
    line = line.replace("/opt/ordago/bin/ordago", f"{sys.executable} -m ordago").replace(
        "/var/lib", f"{tmp_path}/var/lib"
    )
    environment = {name: place.here(value) for name, value in backup.environment({}).items()}
    words = [*unit.command(file), "--insecure"]
    with started(words, unit.environment(file), place) as server:
        server.said("listening on ")
        for _ in range(2):
            subprocess.run([shell, option, line], env={**environment, "PATH": os.environ["PATH"]}, check=True)  # noqa: S603 - ours
        [kept] = backups.iterdir()
        assert kept.stem in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
        assert_ends(server)
    restored = ["restore", str(kept), "--data", str(tmp_path / "restored")]
    subprocess.run([sys.executable, "-m", "ordago", *restored], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    assert (tmp_path / "restored/ladders").is_dir()


@pytest.mark.slow
@pytest.mark.parametrize("instead", [(), *BEHIND_THE_IMAGE], ids=shlex.join)
def test_the_image_serves_and_is_healthy_whatever_it_is_told(instead: Sequence[str], place: Place) -> None:
    image = Image()
    words = image.command(instead)
    with started(words, image.environment(), place) as server:
        assert_serves(server, words)
        assert subprocess.run(place.run(image.health_check()), check=False, timeout=SECONDS).returncode == 0  # noqa: S603 - ours
        assert_ends(server)
        # A health check that passes all the same shows nothing.
        assert subprocess.run(place.run(image.health_check()), check=False, capture_output=True).returncode != 0  # noqa: S603 - ours
    assert any((place.folder / "data").glob("ladders" if "--ladder" in words else "journal"))


def test_what_is_kept_and_what_is_asked_for_is_opened_by_the_image() -> None:
    image = Image()
    assert {f'"{path}"' for path in image.environment().values()} == set(re.findall(r'"[^"]+"', image.one("VOLUME")))
    ports = set(re.findall(r":(\d{4})\b", shlex.join(chain(image.command(), *BEHIND_THE_IMAGE))))
    assert set(image.one("EXPOSE").split()) == ports
    assert image.one("USER").isdigit()


def test_the_compose_file_serves_by_a_database_that_no_network_reaches() -> None:
    told = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
    server, database = told["services"]["ordago"], told["services"]["database"]
    program.commands["serve"].make_context("serve", list(server["command"]))
    assert all(str(port).startswith("127.0.0.1:") for port in server["ports"])
    assert (database["network_mode"], "ports" in database) == ("none", False)
    mounted = {volume.partition(":")[::2] for service in (server, database) for volume in service["volumes"]}
    assert {name for name, _ in mounted} == told["volumes"].keys()
    assert mounted >= {(path[1:], path) for path in Image().environment().values()}
    assert f"host={dict(mounted)['socket']}" in server["environment"]["ORDAGO_STORE"]
    # Compose stops, with this sentence, where there is none.
    assert all("${ORDAGO_PASSWORD:?" in str(service["environment"]) for service in (server, database))
    [stop] = re.findall(r"--stop-timeout (\d+)", section("Containers"))
    assert server["stop_grace_period"] == f"{stop}s"


def test_the_image_has_compiled_modules_and_bubblewrap() -> None:
    build, _, image = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8").rpartition("\nFROM ")
    assert "ORDAGO_COMPILE=1" in build
    assert " bubblewrap " in image


@pytest.mark.parametrize("file", ["deploy/Containerfile", "docs/deployment.md"])
def test_all_is_installed_that_a_site_and_postgresql_need(file: str) -> None:
    [extras] = set(re.findall(r"pip install [^\n]*'\.\[([\w,]+)\]'", (ROOT / file).read_text(encoding="utf-8")))
    assert {"server", "web", "postgres", "encryption"} <= set(extras.split(","))
