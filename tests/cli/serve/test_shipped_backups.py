"""The units that come with Ordago back up, for owners of keys where some are named, and test what they backed up."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from pyrage import x25519
from support.commands import ordago
from support.programs import need_program
from support.shipped import ROOT, Place, Unit, section

from ordago_cli.program import program

SERVICES = sorted(path.name for path in (ROOT / "deploy").glob("*.service"))
MOST_EXPOSURE = 14
"""The most that systemd-analyze may say of a unit, in tenths: 0 is no way to do harm, 100 is every way."""
BACKUPS = "var/lib/ordago-backups"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a machine with a server's accounts, and the folders that systemd makes for the units."""
    for folder in (BACKUPS, "var/cache/ordago-restore-test", "run/credentials/ordago-restore-test.service"):
        (tmp_path / folder).mkdir(parents=True)
    ordago("token", "create", "--account", "ana", "--scope", "play", "--data", tmp_path / "var/lib/ordago")
    return Place(tmp_path)


def run(name: str, place: Place, **file: str) -> "subprocess.CompletedProcess[str]":
    """Run the command of a unit at a place, where its environment file says this."""
    unit = Unit(name)
    environment = {key: place.here(value) for key, value in unit.environment(file).items()}
    words = unit.command(file)
    if words[0] == "/bin/sh":
        line = words[-1].replace("/opt/ordago/bin/ordago", f"{sys.executable} -m ordago")
        words = [*words[:-1], line.replace("/var/lib", str(place.folder / "var/lib"))]
    else:
        words = place.run(words)
    path = {"PATH": os.environ["PATH"]}
    return subprocess.run(words, env=environment | path, capture_output=True, text=True, check=False)  # noqa: S603 - ours


@pytest.mark.slow
def test_what_was_backed_up_last_is_restored_for_a_test_and_nothing_of_it_stays(place: Place) -> None:
    nothing = run("ordago-restore-test.service", place)
    assert (nothing.returncode, "has no backups" in nothing.stderr) == (3, True)
    assert run("ordago-backup.service", place).returncode == 0
    tested = run("ordago-restore-test.service", place)
    assert (tested.returncode, "accounts.sqlite: restored" in tested.stdout) == (0, True)
    [kept] = (place.folder / BACKUPS).iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    assert run("ordago-restore-test.service", place).returncode == 3
    assert list((place.folder / "var/cache/ordago-restore-test").iterdir()) == []


@pytest.mark.slow
def test_the_secret_key_of_encrypted_backups_is_where_they_are_tested_and_not_where_they_are_made(place: Place) -> None:
    identity = x25519.Identity.generate()
    assert run("ordago-backup.service", place, ORDAGO_ENCRYPT_TO=str(identity.to_public())).returncode == 0
    credential = place.folder / "run/credentials/ordago-restore-test.service/identity"
    credential.write_text(Unit("ordago-restore-test.service").one("SetCredential").partition(":")[2])
    without = run("ordago-restore-test.service", place)
    assert (without.returncode, "is not an identity" in without.stderr) == (3, True)
    credential.write_text(f"{identity}\n")
    assert run("ordago-restore-test.service", place).returncode == 0


def test_both_units_and_the_server_agree_on_folders_and_on_the_user() -> None:
    server, backup, test = Unit(), Unit("ordago-backup.service"), Unit("ordago-restore-test.service")
    assert backup.one("StateDirectory").split() == [server.one("StateDirectory"), test.one("StateDirectory")]
    assert {unit.one("User") for unit in (backup, test)} == {"ordago"}
    assert "/etc/ordago/backup.env" in [name.removeprefix("-") for name in backup.all_of("EnvironmentFile")]
    tested, made = (Unit(f"ordago-{name}.timer").one("OnCalendar").split() for name in ("restore-test", "backup"))
    assert tested[-2] > made[-2]


@pytest.mark.parametrize("name", SERVICES)
def test_systemd_finds_little_that_a_unit_exposes(name: str) -> None:
    need_program("systemd-analyze", to="look at the unit with")
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSURE}", ROOT / "deploy" / name]
    looked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - what is installed
    assert looked.returncode == 0, looked.stdout + looked.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_each_unit_takes_away_what_it_does_not_need(name: str) -> None:
    """Also where there is no systemd-analyze to say so."""
    unit, yes = Unit(name), "NoNewPrivileges ProtectHome PrivateTmp PrivateDevices PrivateUsers RestrictNamespaces"
    assert {key: unit.one(key) for key in yes.split()} == dict.fromkeys(yes.split(), "yes")
    assert (unit.one("DynamicUser"), unit.one("ProtectSystem")) == ("yes", "strict")
    assert {unit.one(key) for key in ("CapabilityBoundingSet", "AmbientCapabilities")} == {""}
    assert (unit.one("StateDirectoryMode"), unit.one("UMask")) == ("0700", "0077")


def test_an_upgrade_tests_a_backup_by_the_new_version_before_it_takes_the_place_of_the_old_one() -> None:
    upgrade, _, back = section("Upgrading").partition("**The way back**")
    steps = ("bin/ordago backup", "pip install", "restore-test", "ln -sfn ordago-0.2", "restart ordago")
    assert sorted(steps, key=upgrade.index) == list(steps)
    steps = ("stop ordago", "mv ", "ln -sfn ordago-0.1 /opt/ordago\n", "ordago restore", "start ordago\n")
    assert sorted(steps, key=back.index) == list(steps)
    commands = re.findall(r"^/opt/\S+/bin/ordago (\S+) (.+)$", section("Upgrading"), flags=re.MULTILINE)
    assert [name for name, _ in commands] == ["backup", "restore-test", "restore"]
    for name, words in commands:
        program.commands[name].make_context(name, shlex.split(words))
