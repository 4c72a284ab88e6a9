"""What holds for a database of either kind."""

from pathlib import Path

import pytest
from support.postgresql import execute

from ordago.store import StoreError
from ordago.store.event.schema import EVENT_SCHEMA
from ordago.store.event.store import Store


def test_a_reader_does_not_wait_for_a_writer_and_sees_nothing_of_it(store: Store, place: Path | str):
    with Store.open(place) as other, store._database.writing() as connection:
        connection.exec_driver_sql("UPDATE event SET name = 'changed'")
        assert other.event().name == "trial"


def test_a_result_needs_its_match_in_the_database_itself(store: Store):
    with (
        pytest.raises(StoreError, match=r"(?i)refused the change: .*foreign key"),
        store._database.writing() as connection,
    ):
        connection.exec_driver_sql("INSERT INTO results VALUES ('nobody', '[]', '[]', '[]', '[]', '[]', '', '')")


def test_there_is_only_one_event_in_the_database_itself(store: Store):
    with pytest.raises(StoreError, match="refused the change"), store._database.writing() as connection:
        connection.exec_driver_sql("INSERT INTO event SELECT 2, name, '', '', '', false FROM event")


def test_opening_with_create_leaves_what_is_there(store: Store, place: Path | str):
    with Store.open(place, create=True) as again:
        assert again.event() == store.event()


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_something_else_is_refused(place: Path | str, create: bool):  # noqa: FBT001
    """Whether or not tables may be created."""
    execute(place, "CREATE TABLE shopping (item integer)")
    with pytest.raises(StoreError, match="not that of an event"):
        Store.open(place, create=create)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nosuch://host/name", r"Ordago has no store in nosuch: write postgresql://USER@HOST/NAME"),
        ("mysql://host/name", r"Ordago has no store in mysql"),
        ("postgresql+psycopg2://host/name", r"Ordago has no store in postgresql\+psycopg2"),
        ("://", r"not a URL"),
        ("postgresql://host:port/name", r"not a URL"),
        ("postgresql://ana:p@ss@host/name", r"write %40 for each @ of a password"),
    ],
)
def test_a_url_that_leads_nowhere_is_refused(url: str, reason: str):
    with pytest.raises(StoreError, match=reason) as error:
        Store.open(url)
    assert "p@ss" not in str(error.value)


def test_tables_of_a_newer_version_are_refused(store: Store, place: Path | str):
    store.close()
    execute(place, "UPDATE schema_version SET version = version + 1")
    with pytest.raises(
        StoreError,
        match=f"version {EVENT_SCHEMA.version + 1}, and this version of Ordago knows version {EVENT_SCHEMA.version}",
    ):
        Store.open(place)
