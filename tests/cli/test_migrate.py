"""``ordago migrate``, and that nothing else changes the tables of an older Ordago, but for the start of a server."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.ladders import ladder_row
from support.later_tables import upgrade
from support.postgresql import Server

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.event.store import Store
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_cli.account.accounts import served_accounts
from ordago_cli.serve.journals import opened_journal

LADDER = "ladders/trial/ladder.sqlite"
SERVED = """
[ladder]
name = "trial"

[[game]]
name = "mittlere"

[[house]]
name = "one"
house = "random"

[[house]]
name = "two"
house = "default"
"""


def make_older_ladder(place: Path | str) -> None:
    with LadderStore.open(place, create=True) as store:
        store.create(ladder_row())


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a server whose accounts and ladder an older Ordago made."""
    folder = tmp_path / "data"
    (folder / LADDER).parent.mkdir(parents=True)
    with Accounts.open(folder / "accounts.sqlite", create=True) as accounts:
        accounts.create_token(account="ana", scopes=[Scope.PLAY], now=1_800_000_000)
    make_older_ladder(folder / LADDER)
    upgrade(monkeypatch)
    return folder


def version_of(file: Path) -> int:
    table = "ladder_version" if file.name == "ladder.sqlite" else "accounts_version"
    with closing(sqlite3.connect(file)) as connection, connection:
        found: int = connection.execute(f"SELECT version FROM {table}").fetchone()[0]  # noqa: S608 - our own
    connection.close()
    return found


def versions(data: Path) -> list[int]:
    return [version_of(data / "accounts.sqlite"), version_of(data / LADDER)]


def test_no_command_that_reads_or_writes_at_the_folder_changes_older_tables(data: Path, tmp_path: Path) -> None:
    (tmp_path / "trial.toml").write_text(SERVED)
    wanted = "ordago migrate makes a backup"
    for command in (
        ("account", "list"),
        ("token", "list"),
        ("token", "create", "--account", "ana", "--scope", "play"),
        ("prune", "trial", "--keep-days", "1"),
    ):
        assert_told(ordago(*command, "--data", data), 3, wanted)
    check = ("serve", "--check", "--tokens", "--address", "127.0.0.1:0", "--data", data)
    checked = ordago(*check, "--ladder", tmp_path / "trial.toml")
    upgraded = "the next start upgrades its tables from version 1"
    assert_told(checked, 0, f"goes on; {upgraded}", f"accounts: {upgraded}")
    assert_told(ordago("backup", tmp_path / "monday.zip", "--data", data), 0, "accounts.sqlite")
    assert versions(data) == [1, 1]


def test_a_backup_is_made_of_what_is_migrated_and_comes_back(data: Path, tmp_path: Path) -> None:
    migrated = ordago("migrate", "--data", data)
    [backup] = data.glob("before-migration-*.zip")
    assert backup.stat().st_mode & 0o077 == 0
    told = f"{LADDER}: migrated the tables of the standing ladder from version 1 to "
    assert_told(
        migrated,
        0,
        f"backup: {backup}",
        "accounts.sqlite: migrated the tables of the accounts of a server from version",
        told,
    )
    after = versions(data)
    assert after == [3, 3]
    assert_told(ordago("migrate", "--data", data), 0, f"{LADDER}: its tables have version {after[1]}, the newest")
    assert len(list(data.glob("before-migration-*"))) == 1, "nothing was to be migrated"
    assert_told(ordago("restore", backup, "--data", tmp_path / "back"), 0, "accounts.sqlite")
    assert versions(tmp_path / "back") == after, "what a backup of an older Ordago holds is of today when it is back"


def test_a_ladder_in_postgresql_is_migrated_after_a_backup(
    tmp_path: Path, postgresql: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, data = postgresql.place(), tmp_path / "data"
    make_older_ladder(place)
    upgrade(monkeypatch)
    data.mkdir()
    monkeypatch.setenv("ORDAGO_STORE", place)
    with LadderStore.open(place, outdated=True) as store, store.held():
        assert_told(ordago("migrate", "--data", data), 3, "Another run uses the standing ladder in")
    assert_told(
        ordago("migrate", "--data", data),
        0,
        "backup: ",
        "the standing ladder from version 1",
    )
    [backup] = data.glob("before-migration-*.zip")
    monkeypatch.delenv("ORDAGO_STORE")
    assert_told(ordago("restore", backup, "--data", tmp_path / "back"), 0, "ladder.sqlite: 0 epochs")
    with LadderQueries.open(place) as queries:
        name = queries.ladder().name
    with LadderQueries.open(tmp_path / f"back/ladders/{name}/ladder.sqlite") as restored:
        assert restored.ladder().name == name


def test_it_is_refused_while_a_server_runs(data: Path) -> None:
    with LadderStore.open(data / LADDER, outdated=True) as store, store.held():
        assert_told(ordago("migrate", "--data", data), 3, "Another server uses the standing ladder", "stop it")
    with served_accounts(data.parent / "other"):
        assert_told(
            ordago("migrate", "--data", data.parent / "other"), 3, "A server uses the accounts", "stop it first"
        )
    with opened_journal(data):
        assert_told(ordago("migrate", "--data", data), 3, "another server uses the folder")
    assert versions(data) == [1, 1]
    assert not list(data.glob("before-migration-*"))


def test_a_start_of_a_server_says_that_it_migrates(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served_accounts(data) as accounts:
        assert accounts.version == accounts.newest_version
    [line] = [record for record in caplog.records if record.message == "worth a look"]
    assert line.__dict__["what"].startswith("migrated the tables of the accounts of a server from version 1")


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    assert_told(ordago("migrate", "--data", tmp_path / "none"), 3, "has nothing to migrate", "--data")
    assert_told(ordago("migrate", "--event", tmp_path / "none"), 3, "There is no database at")


def test_an_event_is_migrated_by_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "private").mkdir()
    Store.open(tmp_path / "private" / "event.db", create=True).close()
    upgrade(monkeypatch)
    assert_told(
        ordago("migrate", "--event", tmp_path), 0, "backup: ", "migrated the tables of the event from version 1"
    )
    [backup] = (tmp_path / "private").glob("before-migration-*.db")
    with closing(sqlite3.connect(backup)) as connection, connection:
        assert connection.execute("SELECT version FROM schema_version").fetchall() == [(1,)]
    connection.close()
    assert_told(ordago("migrate", "--event", tmp_path), 0, ", the newest")
