"""``ordago serve --check`` before a first start, and at databases that are none."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import make_url
from support.commands import assert_told, ordago
from support.ladders import ladder_row
from support.postgresql import Server, execute

from ordago.store.event.store import Store
from ordago.store.ladder.store import LadderStore

LADDER = """
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
FIRST = "ok     tables: 'trial' begins, in an empty database; the first start creates its tables"
Check = Callable[[str], Result]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    (tmp_path / "trial.toml").write_text(LADDER)
    command = ("serve", "--check", "--ladder", tmp_path / "trial.toml", "--address", "127.0.0.1:0")

    def check(place: str = "") -> Result:
        if place:
            monkeypatch.setenv("ORDAGO_STORE", place)
        return ordago(*command, "--data", tmp_path / "data")

    return check


def test_a_database_that_is_empty_is_one_for_a_first_start(check: Check, postgresql: Server) -> None:
    place = postgresql.place()
    assert_told(check(place), 0, FIRST)
    assert_told(check(place), 0, FIRST)


def test_a_file_that_is_not_there_or_empty_is_one_too(check: Check, tmp_path: Path) -> None:
    assert_told(check(""), 0, "ok     tables: 'trial' begins: mittlere for 3")
    folder = tmp_path / "data" / "ladders" / "trial"
    folder.mkdir(parents=True)
    (folder / "ladder.sqlite").touch()
    assert_told(check(""), 0, FIRST)


def test_a_database_that_is_not_there_or_somebody_elses_is_told(check: Check, postgresql: Server) -> None:
    missing = postgresql.url(database="none")
    assert_told(check(missing), 3, "wrong  tables: ", 'database "none" does not exist')
    place = postgresql.place()
    with Store.open(place, create=True):
        assert_told(check(place), 3, "wrong  tables: The database is not that of a standing ladder: it has")


def test_whoever_may_make_no_tables_is_told_how_he_may(check: Check, postgresql: Server) -> None:
    place = postgresql.place()
    schema = place.rpartition("%3D")[2]
    postgresql.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    try:
        execute(place, f"GRANT USAGE ON SCHEMA {schema} TO guest")
        url = make_url(place).set(username="guest", password="guest").render_as_string(hide_password=False)  # noqa: S106
        assert_told(
            check(url), 3, f'guest may not create tables in its schema {schema}: run GRANT CREATE ON SCHEMA "{schema}"'
        )
    finally:
        postgresql.execute("DROP OWNED BY guest", "DROP ROLE guest")


def test_tables_of_a_newer_ordago_are_told(check: Check, postgresql: Server) -> None:
    place = postgresql.place()
    with LadderStore.open(place, create=True) as store:
        store.create(ladder_row())
    execute(place, "UPDATE ladder_version SET version = 99")
    assert_told(check(place), 3, "wrong  tables: The database has tables of version 99", "or a newer one")


def test_nothing_is_written_where_another_server_may_be_at_work(check: Check, postgresql: Server) -> None:
    """Who had the right to write is known by the row of the version: a server that lost its connection would end."""
    place = postgresql.place()
    with LadderStore.open(place, create=True) as store:
        with store.held():
            assert_told(check(place), 3, "Another run uses the standing ladder in the database")
        before = _written_by(store)
        assert_told(check(place), 0, "'trial' begins")
        assert _written_by(store) == before


def _written_by(store: LadderStore) -> object:
    with store._database.reading() as connection:
        return connection.exec_driver_sql("SELECT xmin::text FROM ladder_version").scalar()
