import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from support.ledgers import beginning

from ordago.record import StrikeCount
from ordago.store import PlayedMatch, Store, StoreError
from ordago.store.tables import SCHEMA_VERSION, metadata

MakePlayed = Callable[..., PlayedMatch]


def _execute(place: Path, statement: str) -> None:
    connection = sqlite3.connect(place)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_every_connection_writes_ahead_to_the_disk_and_minds_foreign_keys(store: Store):
    for transaction in (store._database.reading, store._database.writing):
        with transaction() as connection:
            settings = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
            # 2 stands for FULL.
            assert settings == ["wal", 2, 1]


def test_a_reader_does_not_wait_for_a_writer_and_sees_nothing_of_it(store: Store, place: Path):
    with Store.open(place) as other, store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE event SET name = 'changed'")
        assert other.event().name == "trial"


def test_a_result_needs_its_match_in_the_database_itself(store: Store):
    with pytest.raises(StoreError, match="refuses this: FOREIGN KEY"), store._database.writing() as connection:
        connection.exec_driver_sql("INSERT INTO results VALUES ('nobody', '[]', '[]', '[]', '[]', x'', x'')")


def test_there_is_only_one_event_in_the_database_itself(store: Store):
    with pytest.raises(StoreError, match="refuses this"), store._database.writing() as connection:
        connection.exec_driver_sql("INSERT INTO event SELECT 2, name, '', '', x'', 0 FROM event")


def test_a_store_is_opened_by_path_or_url(store: Store, place: Path):
    assert store.event().name == "trial"
    for where in (place, str(place), f"sqlite:///{place}"):
        with Store.open(where) as again:
            assert again.event().name == "trial"


def test_opening_creates_nothing_unless_asked_to(place: Path):
    with pytest.raises(StoreError, match=r"There is no database at .*event\.sqlite"):
        Store.open(place)
    assert not place.exists()


def test_opening_with_create_leaves_what_is_there(store: Store, place: Path):
    with Store.open(place, create=True) as again:
        assert again.event() == store.event()


@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_refused(place: Path, create: bool):  # noqa: FBT001
    """Whether or not a database may be created."""
    place.write_bytes(b"This is a text. " * 1000)
    with pytest.raises(StoreError, match="file is not a database"):
        Store.open(place, create=create)
    assert place.read_bytes().startswith(b"This is a text.")


def test_a_damaged_database_is_reported_in_one_sentence(place: Path):
    with Store.open(place, create=True) as store:
        begin = beginning(secret=b"s" * 32, entrants=["ana"])
        store.begin_event(begin, settings="", identity="", secret=b"s" * 32)
    whole = place.read_bytes()
    # The first page, with the list of tables, is left; the tables themselves are overwritten.
    place.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreError, match=r"^The database cannot be used: .*malformed\.$"):
        Store.open(place)


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_something_else_is_refused(place: Path, create: bool):  # noqa: FBT001
    """Whether or not tables may be created."""
    _execute(place, "CREATE TABLE shopping (item)")
    with pytest.raises(StoreError, match="not that of an event"):
        Store.open(place, create=create)


def test_a_table_that_came_later_is_added_to_a_database_from_before(store: Store, place: Path, played: MakePlayed):
    store.commit_results([played(0)])
    store.close()
    _execute(place, "DROP TABLE strikes")
    with Store.open(place) as again:
        again.commit_results([played(1)])
        assert [found.result.strikes for found in again.state().results] == [
            ((), (), ()),
            ((StrikeCount("follow_suit", 1),), (), ()),
        ]


def test_tables_of_a_newer_version_are_refused(store: Store, place: Path):
    store.close()
    _execute(place, "UPDATE schema_version SET version = version + 1")
    with pytest.raises(StoreError, match=f"version {SCHEMA_VERSION + 1}, this Ordago knows version {SCHEMA_VERSION}"):
        Store.open(place)


@pytest.mark.parametrize("url", ["nosuch://host/name", "://"])
def test_a_url_that_leads_nowhere_is_refused(url: str):
    with pytest.raises(StoreError, match=r"not installed|no URL"):
        Store.open(url)


def test_the_tables_can_be_made_in_postgresql_too():
    for table in metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=postgresql.dialect()))


def test_a_database_in_memory_touches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    mode = tmp_path.stat().st_mode
    for place in ("sqlite://", "sqlite:///:memory:"):
        Store.open(place, create=True).close()
    assert (list(tmp_path.iterdir()), tmp_path.stat().st_mode) == ([], mode)
