"""Hosted events in backups: whole or not at all, and with other deals after a restoration."""

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.organiser import Organiser
from support.postgresql import execute

from ordago.outputs import OccupiedError, Output
from ordago.record.ledgers.event import EndEntry, RestorationEntry, read_ledger
from ordago.store import StoreError
from ordago.store.backup import Restored, is_backup, restore_backup, write_backup
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder

EVENT = "events/small/private/event.db"
NOTE = "events/small/private/hosted.json"
NOTES = {NOTE: b'{"title": "small"}', "events/removed.json": b"[]"}


@pytest.fixture(scope="module")
def running() -> Organiser:
    """The organiser of an event that is not over."""
    organiser = Organiser().play()
    organiser.entries = [entry for entry in organiser.entries if not isinstance(entry, EndEntry)]
    return organiser


@pytest.fixture
def data(running: Organiser, tmp_path: Path) -> Path:
    """The folder of a server that hosts it."""
    hosted(tmp_path / "data", running)
    return tmp_path / "data"


def hosted(data: Path, organiser: Organiser) -> None:
    (data / NOTE).parent.mkdir(parents=True)
    for name, content in NOTES.items():
        (data / name).write_bytes(content)
    with Store.open(data / EVENT, create=True) as store:
        organiser.keep(store)


def back_up(data: Path) -> Path:
    file = data.parent / "backup.zip"
    write_backup(Output(file, "a backup", is_backup, force=True), {}, events_of=data)
    return file


def lines_of(data: Path) -> list[str]:
    with Store.open(data / EVENT) as store:
        return list(store.state().lines)


def test_a_running_event_comes_back_with_a_restoration_each_time_another(data: Path, tmp_path: Path) -> None:
    file, values = back_up(data), set()
    for name in ("one", "two"):
        assert restore_backup(file, tmp_path / name) == [Restored(EVENT, 0, len(read_ledger(lines_of(data)).results))]
        *before, last = lines_of(tmp_path / name)
        assert before == lines_of(data)
        entry = read_ledger([*before, last]).entries[-1]
        assert isinstance(entry, RestorationEntry)
        values.add(entry.value)
        assert {name: (tmp_path / "one" / name).read_bytes() for name in NOTES} == NOTES
        assert stat.S_IMODE((tmp_path / name / EVENT).stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / name / EVENT).parent.stat().st_mode) == 0o700
    assert len(values) == 2


def test_an_event_that_is_over_comes_back_as_it_was(honest: Organiser, tmp_path: Path) -> None:
    hosted(tmp_path / "data", honest)
    restore_backup(back_up(tmp_path / "data"), tmp_path / "restored")
    assert lines_of(tmp_path / "restored") == lines_of(tmp_path / "data")


@pytest.fixture(scope="module")
def honest() -> Organiser:
    """The organiser of an event that is over."""
    return Organiser().play()


def test_files_are_where_the_server_looks_for_them() -> None:
    folder = EventFolder(Path("events/small"))
    assert (folder.store.as_posix(), folder.hosted_note.as_posix()) == (EVENT, NOTE)


def test_an_event_that_authors_still_enter_comes_back_with_its_note(data: Path, tmp_path: Path) -> None:
    """It has no database yet, or an empty one: its entries are in the note, and it begins after the restoration."""
    for name in ("empty", "without"):
        (data / NOTE.replace("small", name)).parent.mkdir(parents=True)
        (data / NOTE.replace("small", name)).write_bytes(b'{"entries": ["ana"]}')
    Store.open(data / EVENT.replace("small", "empty"), create=True).close()
    restore_backup(back_up(data), tmp_path / "restored")
    for name in ("empty", "without"):
        assert (tmp_path / "restored" / NOTE.replace("small", name)).read_bytes() == b'{"entries": ["ana"]}'
        assert not (tmp_path / "restored" / EVENT.replace("small", name)).exists()


def test_a_damaged_event_is_named_and_leaves_the_backup_before(data: Path) -> None:
    before = back_up(data).read_bytes()
    (data / EVENT).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match=r"^The event in .*/data/events/small cannot be backed up: "):
        back_up(data)
    assert (data.parent / "backup.zip").read_bytes() == before


def test_a_full_disk_leaves_the_backup_before(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = back_up(data).read_bytes()

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ordago.outputs.sync_file", full)
    with pytest.raises(OccupiedError, match="No space left"):
        back_up(data)
    assert {path.name for path in data.parent.iterdir()} == {"data", "backup.zip"}
    assert (data.parent / "backup.zip").read_bytes() == before


@pytest.mark.parametrize("there", ["events/small/ledger.jsonl", "events/small/private/journal", "events/removed.json"])
def test_what_an_event_left_is_never_mixed_with_a_restored_one(data: Path, tmp_path: Path, there: str) -> None:
    (tmp_path / "restored" / there).parent.mkdir(parents=True)
    (tmp_path / "restored" / there).write_bytes(b"of the lost time")
    with pytest.raises(StoreError, match="exists already: name a folder without it"):
        restore_backup(back_up(data), tmp_path / "restored")
    found = [path for path in (tmp_path / "restored").rglob("*") if path.is_file()]
    assert found == [tmp_path / "restored" / there]


def forged(file: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    change(content)
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return file


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda content: content.pop(NOTE), "is not a backup, or it is damaged"),
        (lambda content: content.update({NOTE.replace("small", ".."): b"{}"}), "is not a backup, or it is damaged"),
        (lambda content: content.update({"events/small/index.html": b""}), "is not a backup, or it is damaged"),
        (lambda content: content.update({NOTE: b"{"}), "its hosted.json is not JSON"),
        (lambda content: content.update({"events/removed.json": b"[" * 100_000}), "its removed.json is not JSON"),
        (lambda content: content.update({EVENT: b"no database"}), "The database cannot be used"),
    ],
)
def test_a_forged_backup_brings_nothing_back(
    data: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], object], told: str
) -> None:
    with pytest.raises(StoreError, match=told):
        restore_backup(forged(back_up(data), change), tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM results WHERE match_id = (SELECT min(match_id) FROM results)", "differ from its ledger"),
        ("UPDATE results SET record = (SELECT max(record) FROM results)", "differ from its ledger"),
        ("DELETE FROM ledger WHERE position = 3", "The database is damaged"),
        ("DELETE FROM ledger WHERE position = 0", "The database is damaged"),
    ],
)
def test_an_event_that_was_tampered_with_is_not_brought_back(
    data: Path, tmp_path: Path, statement: str, told: str
) -> None:
    execute(data / EVENT, statement)
    with pytest.raises(StoreError, match=told):
        restore_backup(back_up(data), tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []
