"""What a server keeps is backed up while it is written, and comes back whole or not at all."""

import json
import stat
import threading
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from support.ladders import LAST_LINK, Writer, ladder_row
from support.postgresql import Server, execute

from ordago.outputs import OccupiedError, Output
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts, Scope
from ordago.store.backup import ACCOUNTS_FILE, Restored, is_backup, ladder_file, restore_backup, write_backup
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.store import LadderStore

LADDER_FILE = ladder_file("trial")


@pytest.fixture
def accounts(tmp_path: Path) -> Path:
    """The accounts of a server: one token of ana."""
    place = tmp_path / "accounts.sqlite"
    with Accounts.open(place, create=True) as accounts:
        accounts.create_token(account="ana", scopes=[Scope.PLAY], now=0)
    return place


def back_up(file: Path, ladder: Path | str, accounts: Path) -> None:
    with LadderInspection.open(ladder) as one, Accounts.open(accounts) as other:
        write_backup(Output(file, "a backup", is_backup), {LADDER_FILE: one, ACCOUNTS_FILE: other})


def dump(place: Path | str) -> list[object]:
    """Return all that a ladder's store holds."""
    with LadderInspection.open(place) as queries:
        epochs = queries.epochs()
        ledgers = [list(queries.ledger(epoch.epoch)) for epoch in epochs]
        return [queries.ladder(), queries.players(), epochs, ledgers, list(queries.results_since())]


@pytest.mark.slow
def test_what_is_backed_up_comes_back_as_it_was(writer: Writer, place: Path | str, accounts: Path, tmp_path: Path):
    ana, ben = writer.player("ana"), writer.player("ben")
    played = [writer.play(ana, ben) for _ in range(3)]
    writer.player("ana", "2")
    writer.begin(ana, ben)
    writer.store.void(writer.begin(ana, ben).match_id, reason="The server failed.")
    writer.store.begin_epoch(2, began=writer.now)
    file, folder = tmp_path / "backup.zip", tmp_path / "restored"
    back_up(file, place, accounts)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert restore_backup(file, folder) == [Restored(LADDER_FILE, 2, 3), Restored(ACCOUNTS_FILE)]
    assert dump(folder / LADDER_FILE) == dump(place)
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["accounts.sqlite", "ladder.sqlite"]
    private = [folder, folder / LADDER_FILE, folder / ACCOUNTS_FILE]
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in private)
    with LadderStore.open(folder / LADDER_FILE) as store, store.held():
        assert len(store.running()) == 1
        Writer(store).finish(*store.running())
        store.reveal(1)
    with LadderInspection.open(folder / LADDER_FILE) as queries, Accounts.open(folder / ACCOUNTS_FILE) as known:
        assert queries.record(played[0].match_id) == b"the record"
        assert [token.account for token in known.tokens()] == ["ana"]


@pytest.mark.slow
def test_a_backup_made_while_matches_are_written_is_of_one_moment(
    writer: Writer, place: Path | str, accounts: Path, tmp_path: Path
):
    """Its ledgers are the beginnings of those that the ladder comes to have, and all counts fit."""
    ana, ben = writer.player("ana"), writer.player("ben")
    over, begun = threading.Event(), threading.Event()

    def write() -> None:
        while not over.is_set():
            writer.play(ana, ben)
            begun.set()

    writing = threading.Thread(target=write)
    writing.start()
    assert begun.wait(30)
    for number in range(3):
        back_up(tmp_path / f"{number}.zip", place, accounts)
    assert writing.is_alive()
    over.set()
    writing.join()
    with LadderInspection.open(place) as queries:
        all_lines = list(queries.ledger(1))
    for number in range(3):
        folder = tmp_path / str(number)
        restored = restore_backup(tmp_path / f"{number}.zip", folder)
        assert restored[0].results > 0
        with LadderInspection.open(folder / LADDER_FILE) as queries:
            lines = list(queries.ledger(1))
        assert lines == all_lines[: len(lines)]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_ladder_moves_to_postgresql_by_its_backup(
    writer: Writer, place: Path, accounts: Path, tmp_path: Path, postgresql: Server
):
    writer.play(writer.player("ana"), writer.player("ben"))
    writer.player("ana", "2")
    back_up(tmp_path / "backup.zip", place, accounts)
    there = postgresql.place()
    restore_backup(tmp_path / "backup.zip", tmp_path / "restored", ladder=there)
    assert [path.name for path in (tmp_path / "restored").iterdir()] == [ACCOUNTS_FILE]
    assert dump(there) == dump(place)
    with pytest.raises(StoreError, match="The database already contains a ladder: name an empty one"):
        restore_backup(tmp_path / "backup.zip", tmp_path / "again", ladder=there)


@pytest.fixture
def backup(writer: Writer, place: Path, accounts: Path, tmp_path: Path) -> Path:
    """A backup of a ladder of a few matches in SQLite."""
    ana, ben = writer.player("ana"), writer.player("ben")
    for _ in range(3):
        writer.play(ana, ben)
    file = tmp_path / "backup.zip"
    back_up(file, place, accounts)
    return file


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM results WHERE position = 2", "The results of epoch 1 differ from its ledger"),
        ("UPDATE results SET record_digest = zeroblob(32)", "The results of epoch 1 differ from its ledger"),
        ("DELETE FROM records WHERE serial = 2", "The records of epoch 1 differ from its ledger"),
        ("UPDATE epochs SET voids = 1", "The counts of epoch 1 differ from its ledger"),
        ("UPDATE epochs SET matches = 9", "The matches of epoch 1 differ from its ledger"),
        ("UPDATE epochs SET revealed = true", "The end of epoch 1 differ from its ledger"),
        ("DELETE FROM ledger WHERE position = 4", "The ledger of epoch 1 is damaged: Line 5"),
        ("UPDATE epochs SET season = 'autumn'", "The season of epoch 1 differ from its ledger"),
        ("UPDATE ladder_version SET version = 9", "tables of version 9, and this version of Ordago knows version 1"),
    ],
)
def test_a_backup_of_what_was_tampered_with_is_not_brought_back(
    backup: Path, tmp_path: Path, statement: str, told: str
):
    with zipfile.ZipFile(backup) as archive:
        archive.extract(LADDER_FILE, tmp_path / "unpacked")
    execute(tmp_path / "unpacked" / LADDER_FILE, statement)
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr("backup.json", json.dumps({"format": "ordago-backup-1"}))
        archive.write(tmp_path / "unpacked" / LADDER_FILE, LADDER_FILE)
    with pytest.raises(StoreError, match=told):
        restore_backup(forged, tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite"])
def test_an_epoch_that_does_not_follow_from_the_one_before_is_found(writer: Writer, place: Path):
    writer.store.begin_epoch(2, began=writer.now)
    with LadderInspection.open(place) as queries:
        [line] = queries.ledger(2)
        assert len(queries.check()) == 2
        forged = line.replace(queries.head(1).digest.hex(), "00" * 32)
        statement = f"UPDATE ledger SET line = '{forged}' WHERE epoch = 2"  # noqa: S608 - the line is our own
        execute(place, statement.replace(":", "\\:"))
        with pytest.raises(StoreError, match=r"^The ledger of epoch 2 does not follow from the one before\.$"):
            queries.check()


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_damaged_file_brings_nothing_back(backup: Path, tmp_path: Path):
    whole = backup.read_bytes()
    folder = tmp_path / "restored"
    for length in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        backup.write_bytes(whole[:length])
        with pytest.raises(StoreError, match=rf"^{backup} is not a backup, or it is damaged: use another one\.$"):
            restore_backup(backup, folder)
    middle = len(whole) // 2
    backup.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(StoreError, match="damaged"):
        restore_backup(backup, folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["backup.json"],
        ["accounts.sqlite", "backup.json"],
        ["backup.json", "../accounts.sqlite"],
        ["backup.json", "/etc/passwd"],
        ["backup.json", "accounts.sqlite", "journal"],
        ["backup.json", "ladders/../ladder.sqlite"],
        ["backup.json", "ladders/Trial/ladder.sqlite"],
        ["backup.json", "ladders/trial/ladder.sqlite-wal"],
    ],
)
def test_a_file_with_anything_else_in_it_is_no_backup(tmp_path: Path, names: list[str]):
    file = tmp_path / "backup.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, '{"format": "ordago-backup-1"}')
    with pytest.raises(StoreError, match="is not a backup, or it is damaged"):
        restore_backup(file, tmp_path / "restored")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.zip", "restored"]


def test_a_file_that_says_it_is_larger_than_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("backup.json", '{"format": "ordago-backup-1"}')
        archive.writestr(LADDER_FILE, bytes(10**7))
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Free(10**6))
    with pytest.raises(StoreError, match="There is not enough space in"):
        restore_backup(file, tmp_path / "restored")


class _Free(NamedTuple):
    free: int


@pytest.mark.parametrize("kind", ["sqlite"])
@pytest.mark.parametrize("name", [ACCOUNTS_FILE, LADDER_FILE, f"{LADDER_FILE}-wal"])
def test_what_is_there_is_never_replaced(backup: Path, tmp_path: Path, name: str):
    there = tmp_path / "restored" / name
    there.parent.mkdir(parents=True)
    there.write_bytes(b"something of somebody")
    with pytest.raises(StoreError, match=rf"{there} exists already: name a folder without it"):
        restore_backup(backup, tmp_path / "restored")
    assert [path for path in (tmp_path / "restored").rglob("*") if path.is_file()] == [there]
    assert there.read_bytes() == b"something of somebody"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"])
def test_what_a_killed_restoration_left_mixes_with_nothing(backup: Path, tmp_path: Path):
    left = tmp_path / "restored" / "restore.part" / f"{LADDER_FILE}-wal"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"the log of another database")
    assert len(restore_backup(backup, tmp_path / "restored")) == 2
    assert sorted(path.name for path in (tmp_path / "restored").iterdir()) == [ACCOUNTS_FILE, "ladders"]


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_backup_that_cannot_be_finished_leaves_the_one_before(
    backup: Path, place: Path, accounts: Path, monkeypatch: pytest.MonkeyPatch
):
    before = backup.read_bytes()
    monkeypatch.setattr("ordago.outputs.sync_file", _full)
    with pytest.raises(OccupiedError, match="No space left"):
        back_up(backup, place, accounts)
    assert backup.read_bytes() == before
    assert [path.name for path in backup.parent.iterdir() if "backup" in path.name or "part" in path.name] == [
        "backup.zip"
    ]


def _full(_: Path) -> None:
    raise OSError(28, "No space left on device")


def test_the_secret_is_in_the_backup_and_nowhere_beside_it(writer: Writer, place: Path | str, accounts: Path):
    """What is unpacked on the way is gone, and the backup is for nobody else's eyes."""
    assert writer.store.create(ladder_row()).chain.last == LAST_LINK
    folder = accounts.parent / "backups"
    folder.mkdir()
    back_up(folder / "backup.zip", place, accounts)
    assert [path.name for path in folder.iterdir()] == ["backup.zip"]
