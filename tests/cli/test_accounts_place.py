"""Accounts in PostgreSQL, where several servers of one ladder read them."""

from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.postgresql import PASSWORD, Server

from ordago.store.accounts.accounts import Accounts
from ordago.store.backup import ACCOUNTS_FILE
from ordago.store.errors import StoreEmptyError


@pytest.fixture
def place(postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    place = postgresql.place()
    monkeypatch.delenv("ORDAGO_STORE", raising=False)
    monkeypatch.setenv("ORDAGO_ACCOUNTS", place)
    return place


def test_commands_use_the_accounts_of_the_database(place: str, tmp_path: Path) -> None:
    for name in ("ana", "ben"):
        assert_told(ordago("token", "create", "--account", name, "--scope", "play", "--data", tmp_path), 0)
    assert_told(ordago("account", "list", "--data", tmp_path), 0, "ana", "ben")
    assert not (tmp_path / ACCOUNTS_FILE).exists()
    with Accounts.open(place) as accounts:
        assert [account.name for account in accounts.accounts()] == ["ana", "ben"]


def test_an_empty_database_is_told_and_made_by_the_first_that_writes(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = ordago("account", "list", "--data", tmp_path)
    assert_told(told, 3, "it is empty")
    assert PASSWORD not in told.output + capfd.readouterr().err
    serve = ("serve", "--tables", "mus", "--tokens", "--data", tmp_path, "--address", "127.0.0.1:0", "--check")
    assert_told(ordago(*serve), 0, "the database of ORDAGO_ACCOUNTS")
    with pytest.raises(StoreEmptyError):
        Accounts.open(place)


def test_accounts_of_the_database_are_in_a_backup_and_come_back(
    place: str, postgresql: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, backup = tmp_path / "data", tmp_path / "monday.zip"
    assert_told(ordago("token", "create", "--account", "ana", "--scope", "play", "--data", data), 0)
    assert_told(ordago("backup", backup, "--data", data), 0, ACCOUNTS_FILE)
    assert_told(ordago("restore", backup, "--data", tmp_path / "again"), 3, "already contains accounts")
    monkeypatch.setenv("ORDAGO_ACCOUNTS", elsewhere := postgresql.place())
    assert_told(ordago("restore", backup, "--data", tmp_path / "again"), 0)
    assert not (tmp_path / "again" / ACCOUNTS_FILE).exists()
    with Accounts.open(place) as before, Accounts.open(elsewhere) as after:
        assert after.accounts() == before.accounts() != []
        assert after.tokens() == before.tokens() != []


def test_what_is_no_database_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDAGO_ACCOUNTS", "mysql://ana@here/accounts")
    assert_told(ordago("account", "list", "--data", tmp_path), 2, "takes postgresql://USER@HOST/NAME")
    monkeypatch.setenv("ORDAGO_ACCOUNTS", f"postgresql://ana:{PASSWORD.replace(' ', '%20')}@127.0.0.1:9/accounts")
    told = ordago("account", "list", "--data", tmp_path)
    assert_told(told, 3, "Connection refused")
    assert PASSWORD not in told.output
