"""What a hostile backup brings along stays behind, and what makes no sense is refused in a sentence."""

import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.later_tables import upgrade

from ordago.outputs import Output
from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts, Scope
from ordago.store.backup import ACCOUNTS_FILE, is_backup, restore_backup, write_backup

FORMAT = json.dumps({"format": "ordago-backup-1"})
A_TRIGGER = """
    CREATE TRIGGER t AFTER INSERT ON tokens BEGIN
        UPDATE accounts SET roles = 'admin' WHERE name = NEW.account;
    END
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[..., Path]:
    """What makes a backup of accounts, of which somebody changed the database."""
    database, file = tmp_path / "source.sqlite", tmp_path / "hostile.zip"

    def make(*statements: str, writable: bool = False) -> Path:
        with Accounts.open(database, create=True) as accounts:
            accounts.create_token(account="ana", scopes=[Scope.PLAY], now=0)
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA writable_schema = {int(writable)}")
            for statement in statements:
                connection.execute(statement)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("backup.json", FORMAT)
            archive.write(database, ACCOUNTS_FILE)
        return file

    return make


def schema_of(database: Path) -> set[tuple[str, str, str]]:
    with closing(sqlite3.connect(database)) as connection:
        return set(connection.execute("SELECT type, name, sql FROM sqlite_schema"))


@pytest.mark.parametrize(
    "statements",
    [
        [A_TRIGGER],
        ["CREATE VIEW spy AS SELECT * FROM tokens"],
        ["CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"],
        ["CREATE TABLE other (x)", "INSERT INTO other VALUES (1)", "CREATE UNIQUE INDEX by_roles ON accounts (roles)"],
        ["CREATE INDEX evaluated ON tokens (hex(account))", "CREATE INDEX partial ON bots (name) WHERE name > ''"],
        ["ALTER TABLE accounts ADD COLUMN more INTEGER DEFAULT 5 CHECK (more < 6)"],
        ["PRAGMA user_version = 7", "DROP INDEX ix_accounts_key"],
    ],
)
def test_only_rows_come_back_in_tables_and_indexes_of_ours(
    hostile: Callable[..., Path], tmp_path: Path, statements: list[str]
):
    with Accounts.open(tmp_path / "ours.sqlite", create=True):
        pass
    restore_backup(hostile(*statements), tmp_path / "restored")
    assert schema_of(tmp_path / "restored" / ACCOUNTS_FILE) == schema_of(tmp_path / "ours.sqlite")
    with Accounts.open(tmp_path / "restored" / ACCOUNTS_FILE) as accounts:
        accounts.create_token(account="ana", scopes=[Scope.PLAY], now=0)
        assert [account.roles for account in accounts.accounts()] == [{Scope.PLAY}]


def test_no_trigger_has_a_say_where_an_older_database_is_migrated(
    hostile: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = hostile(A_TRIGGER)
    upgrade(monkeypatch)
    with Accounts.open(tmp_path / "ours.sqlite", create=True):
        pass
    restore_backup(file, tmp_path / "restored")
    assert schema_of(tmp_path / "restored" / ACCOUNTS_FILE) == schema_of(tmp_path / "ours.sqlite")


@pytest.mark.slow
@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE builds", "CREATE VIRTUAL TABLE builds USING fts5 (bot_key, version, build, first_seen_at)"],
        ["ALTER TABLE accounts ADD COLUMN more GENERATED ALWAYS AS (hex(name)) VIRTUAL"],
        ["DROP TABLE bots", "CREATE VIEW bots AS SELECT 1 AS key, 2 AS name, 3 AS account, 4 AS claimed_at"],
        ["UPDATE accounts SET most_bots = 'many'"],
        ["UPDATE accounts SET created_at = 1.5"],
        ["UPDATE accounts SET name = x'FF'"],
        ["UPDATE accounts SET name = CAST(x'FF' AS TEXT)"],
        ["UPDATE tokens SET fingerprint = 'text'"],
        ["UPDATE accounts SET roles = 'emperor'"],
        ["UPDATE accounts_version SET version = 9"],
        ["DELETE FROM accounts_version", "DROP TABLE accounts_version"],
        ["UPDATE accounts_version SET version = 0"],
        ["DELETE FROM accounts_version"],
        ["INSERT INTO builds VALUES ('nobody', '1', '', 0)"],
        ["DROP TABLE tokens", "CREATE TABLE tokens AS SELECT 'x' AS id"],
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    hostile: Callable[..., Path], tmp_path: Path, statements: list[str]
):
    file = hostile(*statements)
    with pytest.raises(StoreError, match=r"^The database .*\.$"):
        restore_backup(file, tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sqlite_schema SET rootpage = rootpage + 1 WHERE name = 'accounts'",
        "UPDATE sqlite_schema SET sql = 'no statement' WHERE name = 'accounts'",
        "UPDATE sqlite_schema SET sql = replace(sql, 'VARCHAR', 'BLOB'), type = 'view' WHERE name = 'bots'",
        "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'tokens'",
    ],
)
def test_a_schema_that_was_written_by_hand_is_refused(hostile: Callable[..., Path], tmp_path: Path, statement: str):
    file = hostile(statement, writable=True)
    with pytest.raises(StoreError, match=r"^The database .*\.$"):
        restore_backup(file, tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("packing", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("damaged", [False, True])
def test_other_ways_of_packing_are_refused_by_the_name_of_the_file(tmp_path: Path, packing: int, *, damaged: bool):
    file = tmp_path / "packed.zip"
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("backup.json", FORMAT, zipfile.ZIP_STORED)
        archive.writestr(ACCOUNTS_FILE, os.urandom(10_000))
    if damaged:
        content = bytearray(file.read_bytes())
        content[400:600] = bytes(200)
        file.write_bytes(content)
    with pytest.raises(StoreError, match=rf"^{file} is not a backup, or it is damaged: use another one\.$"):
        restore_backup(file, tmp_path / "restored")


def test_what_unpacks_to_a_hundred_times_its_size_is_no_backup(tmp_path: Path):
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("backup.json", FORMAT)
        archive.writestr(ACCOUNTS_FILE, bytes(65 << 20))
    with pytest.raises(StoreError, match=rf"^{file} is not a backup"):
        restore_backup(file, tmp_path / "restored")


def test_a_link_in_a_backup_is_a_file_that_is_no_database(tmp_path: Path):
    file, link = tmp_path / "link.zip", zipfile.ZipInfo(ACCOUNTS_FILE)
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("backup.json", FORMAT)
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(StoreError, match="The database cannot be used: file is not a database"):
        restore_backup(file, tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


def test_a_pipe_in_place_of_a_backup_is_refused_at_once(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.zip")
    with pytest.raises(StoreError, match=r"pipe\.zip is not a backup"):
        restore_backup(tmp_path / "pipe.zip", tmp_path / "restored")


def test_what_an_organiser_added_to_a_database_is_not_backed_up_for_ever(tmp_path: Path):
    """A view of one's own does no harm to a backup: it is made, and comes back without it."""
    with Accounts.open(tmp_path / "own.sqlite", create=True) as accounts:
        accounts.create_token(account="ana", scopes=[Scope.PLAY], now=0)
        with closing(sqlite3.connect(tmp_path / "own.sqlite")) as connection:
            connection.execute("CREATE VIEW mine AS SELECT count(*) FROM tokens")
        write_backup(Output(tmp_path / "own.zip", "a backup", is_backup), {ACCOUNTS_FILE: accounts})
    restore_backup(tmp_path / "own.zip", tmp_path / "restored")
    assert "mine" not in {name for _, name, _ in schema_of(tmp_path / "restored" / ACCOUNTS_FILE)}
