"""Backups on the command line."""

import json
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.ladders import Writer, ladder_row
from support.postgresql import Server

from ordago.store.accounts.accounts import Accounts
from ordago.store.ladder.store import LadderStore

LADDER = "ladders/trial/ladder.sqlite"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server with accounts and a ladder of two results."""
    folder = tmp_path / "data"
    assert ordago("token", "create", "--account", "ana", "--scope", "play", "--data", folder).exit_code == 0
    (folder / LADDER).parent.mkdir(parents=True)
    with LadderStore.open(folder / LADDER, create=True) as store:
        store.create(ladder_row())
        store.begin_epoch(1, began=0)
        writer = Writer(store)
        for _ in range(2):
            writer.play(writer.player("ana"), writer.player("ben"))
    return folder


@pytest.mark.slow
def test_a_server_comes_back_from_its_backup(data: Path, tmp_path: Path):
    file, folder = tmp_path / "monday.zip", tmp_path / "other"
    assert_told(ordago("backup", file, "--data", data), 0, f"{file}: accounts.sqlite, {LADDER}; ")
    told = f"accounts.sqlite\n{LADDER}: 1 epochs, 2 results, ledgers whole\n"
    assert_told(ordago("restore", file, "--data", folder), 0, told)
    with Accounts.open(folder / "accounts.sqlite") as accounts:
        assert len(accounts.tokens()) == 1
    there = f"{folder}/accounts.sqlite exists already: name a folder without it"
    assert_told(ordago("restore", file, "--data", folder), 3, there)


def test_programs_can_read_what_was_backed_up_and_brought_back(data: Path, tmp_path: Path):
    file = tmp_path / "monday.zip"
    told = json.loads(ordago("backup", file, "--data", data, "--json").stdout)
    assert told == {"contents": ["accounts.sqlite", LADDER], "bytes": file.stat().st_size}
    restored = json.loads(ordago("restore", file, "--data", tmp_path / "other", "--json").stdout)
    assert restored["contents"] == [
        {"name": "accounts.sqlite", "epochs": 0, "results": 0},
        {"name": LADDER, "epochs": 1, "results": 2},
    ]


def test_a_ladder_in_postgresql_is_backed_up_and_brought_back_there(
    data: Path, tmp_path: Path, postgresql: Server, monkeypatch: pytest.MonkeyPatch
):
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    ordago("backup", first, "--data", data)
    monkeypatch.setenv("ORDAGO_STORE", postgresql.place())
    assert_told(ordago("restore", first, "--data", tmp_path / "other"), 0, "1 epochs, 2 results")
    assert_told(ordago("backup", second, "--data", tmp_path / "other"), 0, LADDER)
    monkeypatch.delenv("ORDAGO_STORE")
    assert_told(ordago("restore", second, "--data", tmp_path / "back"), 0, f"{LADDER}: 1 epochs, 2 results")


def test_nothing_is_loaded_where_one_of_two_databases_has_contents(
    data: Path, tmp_path: Path, postgresql: Server, monkeypatch: pytest.MonkeyPatch
):
    file, folder = tmp_path / "monday.zip", tmp_path / "other"
    ordago("backup", file, "--data", data)
    monkeypatch.setenv("ORDAGO_ACCOUNTS", postgresql.place())
    assert_told(ordago("restore", file, "--data", tmp_path / "before"), 0)
    monkeypatch.setenv("ORDAGO_STORE", postgresql.place())
    assert_told(ordago("restore", file, "--data", folder), 3, "already contains accounts")
    monkeypatch.setenv("ORDAGO_ACCOUNTS", postgresql.place())
    assert_told(ordago("restore", file, "--data", folder), 0, "1 epochs, 2 results")
    assert_told(ordago("restore", file, "--data", tmp_path / "third"), 3, "already contains a ladder")


def test_mistakes_are_told_in_a_sentence(data: Path, tmp_path: Path):
    file, nothing = tmp_path / "monday.zip", tmp_path / "nothing"
    assert_told(ordago("backup", file, "--data", nothing), 3, f"{nothing} has nothing to back up", "--data")
    assert_told(ordago("backup", nothing / "x.zip", "--data", data), 3, f"there is no folder {nothing} for x.zip")
    assert_told(ordago("restore", file, "--data", nothing), 3, str(file), "No such file or directory")
    file.write_text("not a backup")
    assert_told(
        ordago("restore", file, "--data", nothing), 3, f"{file} is not a backup, or it is damaged: use another one"
    )
    (data / LADDER).write_bytes(b"no database" * 1000)
    told = "The database cannot be used: file is not a database"
    assert_told(ordago("backup", file, "--data", data, "--force"), 3, told)
    assert file.read_text() == "not a backup"
