"""A backup is restored and verified for a test, and what is wrong with it is said."""

import json
import os
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.kept_ladder import KeptLadder
from support.later_tables import upgrade
from support.organiser import Organiser
from support.postgresql import execute

from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.events_api import HostedStage
from ordago_ladder.hosted.note import Note

LADDER = "ladders/demo/ladder.sqlite"
EVENT = "events/small/private/event.db"
ACCOUNTS = "accounts.sqlite"


def hosted(data: Path, organiser: Organiser, stage: HostedStage) -> None:
    """Let the server of a folder host an event."""
    folder = EventFolder(data / "events" / "small")
    folder.private.mkdir(parents=True)
    Note(title="small", text=organiser.text, opened=0, opened_by="ana", begins=None, stage=stage).write(folder)
    with Store.open(folder.store, create=True) as store:
        organiser.keep(store)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of backups of a server with accounts, a ladder and a running event. Nothing in it is changed."""
    place = tmp_path_factory.mktemp("server")
    data, backups = place / "data", place / "backups"
    KeptLadder(data)
    ordago("token", "create", "--account", "ana", "--scope", "play", "--data", data)
    organiser = Organiser().play()
    # Neither over nor at its last match.
    del organiser.entries[-3:]
    hosted(data, organiser, HostedStage.PLAYING)
    backups.mkdir()
    assert_told(ordago("backup", backups / "Mon.backup", "--data", data), 0, ACCOUNTS, LADDER, EVENT)
    return backups


@pytest.fixture
def backups(honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, and nothing else on a machine whose temporary files are beside it."""
    folder, temporary = tmp_path / "backups", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    (folder / "Mon.backup").write_bytes((honest / "Mon.backup").read_bytes())
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return folder


def aged(file: Path, hours: float) -> Path:
    at = file.stat().st_mtime - hours * 3600
    os.utime(file, (at, at))
    return file


@pytest.mark.slow
def test_accounts_ladders_and_events_are_restored_and_every_record_is_replayed(backups: Path, tmp_path: Path) -> None:
    told = ordago("restore-test", backups, "--most-hours", 1)
    assert_told(told, 0, f"{backups / 'Mon.backup'}:\n{ACCOUNTS}: restored; ", f"{LADDER}: unfinished; 2 records")
    told = json.loads(ordago("restore-test", backups / "Mon.backup", "--json").stdout)
    found = {part["name"]: part for part in told["contents"]}
    assert found.keys() == {ACCOUNTS, LADDER, EVENT}
    assert found[EVENT]["verdict"] == "unfinished"
    assert found[EVENT]["records"] > 0
    assert [part["finding"] for part in found.values()] == ["", "", ""]
    # What was restored has secrets of deals to come.
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.slow
def test_the_newest_file_is_tested_and_one_that_is_no_backup_is_not_passed_over(backups: Path) -> None:
    """A copy that was cut off is newer than the whole backup of the day before."""
    aged(backups / "Mon.backup", 24)
    (backups / ".ordago-1.part").write_bytes(b"not complete yet")
    assert_told(ordago("restore-test", backups), 0)
    (backups / "Tue.backup").write_bytes((backups / "Mon.backup").read_bytes()[:1000])
    assert_told(ordago("restore-test", backups), 3, f"ordago: {backups / 'Tue.backup'} is not a backup")


def test_a_folder_without_a_new_backup_fails(backups: Path, tmp_path: Path) -> None:
    file = aged(backups / "Mon.backup", 31)
    told = f"ordago: the newest backup is {file}, 31 hours old: find out why there is none since"
    assert_told(ordago("restore-test", backups, "--most-hours", 30), 3, told)
    file.unlink()
    assert_told(ordago("restore-test", backups), 3, f"ordago: {backups} has no backups: name their folder")
    assert_told(ordago("restore-test", tmp_path / "none"), 3, "No such file or directory")


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET record = (SELECT min(record) FROM records)",
        "UPDATE settings SET settings = replace(settings, '1000', '1001')",
    ],
)
def test_what_restores_and_cannot_be_proved_is_named(tmp_path: Path, statement: str) -> None:
    """Whoever may write to the database changes a record, or the settings."""
    KeptLadder(tmp_path / "data")
    execute(tmp_path / "data" / LADDER, statement)
    ordago("backup", tmp_path / "Mon.backup", "--data", tmp_path / "data")
    told = ordago("restore-test", tmp_path / "Mon.backup")
    assert_told(told, 1, f"{LADDER}: not clean; ", f"{LADDER}: epochs/")


@pytest.mark.slow
def test_a_newer_version_tests_a_backup_of_an_older_one(backups: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before an upgrade it shows whether the tables can be migrated, and changes nothing."""
    before = (backups / "Mon.backup").read_bytes()
    upgrade(monkeypatch)
    assert_told(ordago("restore-test", backups), 0, f"{LADDER}: unfinished; 2 records")
    assert (backups / "Mon.backup").read_bytes() == before
