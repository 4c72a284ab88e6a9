"""Backups on the command line."""

import json
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.ladders import Writer, ladder_row

from ordago.store.accounts import Accounts
from ordago.store.ladder_store import LadderStore


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a server with accounts and a ladder of two results."""
    folder = tmp_path / "data"
    assert ordago("token", "create", "--account", "ana", "--scope", "play", "--data", folder).exit_code == 0
    with LadderStore.open(folder / "ladder.sqlite", create=True) as store:
        store.create(ladder_row())
        store.begin_epoch(1, began=0)
        writer = Writer(store)
        for _ in range(2):
            writer.play(writer.player("ana"), writer.player("ben"))
    return folder


def test_a_server_comes_back_from_its_backup(data: Path, tmp_path: Path):
    file, folder = tmp_path / "monday.zip", tmp_path / "other"
    assert_told(ordago("backup", file, "--data", data), 0, f"{file}: the accounts and the ladder, ")
    restored = ordago("restore", file, folder)
    assert_told(restored, 0, "the accounts and the ladder", "1 epochs and 2 results; its ledgers are whole")
    with Accounts.open(folder / "accounts.sqlite") as accounts:
        assert len(accounts.tokens()) == 1
    assert_told(
        ordago("restore", file, folder), 3, f"There is {folder}/accounts.sqlite already: name a folder without one"
    )
    assert_told(ordago("backup", file, "--data", folder), 0, "the ladder")


def test_accounts_alone_are_backed_up_where_there_is_no_ladder(data: Path, tmp_path: Path):
    (data / "ladder.sqlite").unlink()
    file = tmp_path / "monday.zip"
    assert_told(ordago("backup", file, "--data", data), 0, f"{file}: the accounts, ")
    restored = ordago("restore", file, tmp_path / "other", "--json")
    assert json.loads(restored.stdout) == {"contents": ["accounts.sqlite"], "epochs": 0, "results": 0}
    told = json.loads(ordago("backup", file, "--data", tmp_path / "other", "--json").stdout)
    assert told == {"contents": ["accounts.sqlite"], "bytes": file.stat().st_size}


def test_mistakes_are_told_in_a_sentence(data: Path, tmp_path: Path):
    file, nothing = tmp_path / "monday.zip", tmp_path / "nothing"
    assert_told(
        ordago("backup", file, "--data", nothing), 3, f"there is nothing to back up in {nothing}: name", "--data"
    )
    assert_told(ordago("backup", nothing / "x.zip", "--data", data), 3, f"{nothing}/x.zip", "No such file or directory")
    assert_told(ordago("restore", file, nothing), 3, str(file), "No such file or directory")
    file.write_text("no backup")
    assert_told(ordago("restore", file, nothing), 3, f"{file} is no backup, or it is damaged: take another one")
    (data / "ladder.sqlite").write_bytes(b"no database" * 1000)
    assert_told(ordago("backup", file, "--data", data), 3, "The database cannot be used: file is not a database")
    assert file.read_text() == "no backup"
