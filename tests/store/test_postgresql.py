"""What holds for PostgreSQL alone: several machines, connections that break, and places that are none."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url
from support.postgresql import PASSWORD, Server, execute

from ordago.store import PlayedMatch, StoreBusyError, StoreError, StoreFailedError
from ordago.store.accounts.accounts import Accounts
from ordago.store.event.store import Store
from ordago.store.postgresql import postgresql_engine

MakePlayed = Callable[..., PlayedMatch]

END_ALL_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ordago'"


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGPASSWORD", "PGPASSFILE", "PGOPTIONS"):
        monkeypatch.delenv(name, raising=False)


def rows(store: Store) -> list[int]:
    return [found.planned.row for found in store.state().results]


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_store_is_opened_by_any_of_its_names(store: Store, place: str, scheme: str):
    with Store.open(place.replace("postgresql", scheme)) as again:
        assert again.event() == store.event()


def test_each_schema_of_a_database_holds_an_event_or_the_accounts(postgresql: Server, store: Store):
    with Store.open(postgresql.place(), create=True) as other, pytest.raises(StoreError, match="not begun yet"):
        other.event()
    with Accounts.open(postgresql.place(), create=True) as accounts:
        assert accounts.tokens() == []
    assert store.event().name == "trial"


def test_a_commit_reaches_the_disk_whatever_the_server_does_for_others(postgresql: Server, place: str):
    postgresql.execute("ALTER ROLE ordago SET synchronous_commit = off")
    try:
        with Store.open(place, create=True) as store, store._database.writing() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    finally:
        postgresql.execute("ALTER ROLE ordago RESET synchronous_commit")


def test_who_reads_cannot_write_and_sees_one_state(store: Store, place: str):
    with store._database.reading() as connection:
        assert connection.exec_driver_sql("SELECT finished FROM event").scalar() is False
        execute(place, "UPDATE event SET finished = true")
        assert connection.exec_driver_sql("SELECT finished FROM event").scalar() is False
        with pytest.raises(Exception, match="read-only transaction"):
            connection.exec_driver_sql("DELETE FROM event")


def test_one_run_at_a_time_works_on_an_event(store: Store, place: str, played: MakePlayed, postgresql: Server):
    with store.held(), Store.open(place) as other:
        store.commit_results([played(0)])
        assert rows(other) == [0]
        with pytest.raises(StoreBusyError, match="Another run uses the event in the database"), other.held():
            pass
        with Store.open(postgresql.place(), create=True) as elsewhere, elsewhere.held():
            pass
    with Store.open(place) as other, other.held():
        other.commit_results([played(1)])
    assert rows(store) == [0, 1]


def test_a_connection_that_breaks_between_two_transactions_is_replaced(
    store: Store, place: str, postgresql: Server, played: MakePlayed
):
    with store.held():
        for row in range(3):
            postgresql.execute(END_ALL_OTHERS)
            store.commit_results([played(row)])
            with pytest.raises(StoreBusyError), Store.open(place) as other, other.held():
                pass
            postgresql.execute(END_ALL_OTHERS)
            assert rows(store) == list(range(row + 1))
    postgresql.execute(END_ALL_OTHERS)
    store.commit_results([played(3)])


def test_a_session_that_may_only_read_is_given_up(store: Store, postgresql: Server, played: MakePlayed):
    with store.held():
        postgresql.execute("ALTER ROLE ordago SET default_transaction_read_only = on")
        try:
            postgresql.execute(END_ALL_OTHERS)
            for _ in range(2):
                with pytest.raises(StoreFailedError, match="read-only transaction"):
                    store.commit_results([played(0)])
        finally:
            reset = "ALTER ROLE ordago RESET default_transaction_read_only"
            postgresql.execute(f"SET TRANSACTION READ WRITE; {reset}")
        store.commit_results([played(0)])
    assert rows(store) == [0]


def test_whoever_lost_his_connection_writes_no_more_when_another_run_came(
    store: Store, place: str, postgresql: Server, played: MakePlayed
):
    """Whether the other one is still there or has gone, and however often it is tried."""
    with store.held(), Store.open(place) as other:
        postgresql.execute(END_ALL_OTHERS)
        with other.held():
            other.commit_results([played(0)])
            for _ in range(2):
                with pytest.raises(StoreBusyError, match="Another run uses the event"):
                    store.commit_results([played(1)])
        for _ in range(2):
            with pytest.raises(StoreBusyError, match="Another run has used the event in the database meanwhile"):
                store.commit_results([played(1)])
    assert rows(store) == [0]


def test_a_connection_that_breaks_in_a_transaction_leaves_nothing_and_goes_on_after(
    store: Store, postgresql: Server, played: MakePlayed
):
    def write_and_break() -> None:
        with store._database.writing() as connection:
            connection.exec_driver_sql("UPDATE event SET finished = true")
            postgresql.execute(END_ALL_OTHERS)

    with store.held():
        with pytest.raises(StoreFailedError, match="terminating connection"):
            write_and_break()
        store.commit_results([played(0)])
    assert not store.event().finished


@pytest.fixture
def nowhere(tmp_path: Path) -> str:
    return f"postgresql://ordago:{PASSWORD}@/postgres?host={tmp_path}"


def test_a_server_that_is_not_there_is_told_in_a_sentence(nowhere: str):
    with pytest.raises(StoreFailedError, match=r"^The database cannot be used: .*No such file or directory.*\.$"):
        Store.open(nowhere, create=True)


def test_a_server_that_nobody_finds_is_told_in_a_sentence():
    with pytest.raises(StoreFailedError, match=r"^The database cannot be used: .*Connection refused.*\.$"):
        Store.open("postgresql://ordago@127.0.0.1:9/postgres", create=True)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"password": "wrong: not for your eyes"}, "password authentication failed"),
        ({"password": None}, "password"),
        ({"database": "none"}, 'database "none" does not exist'),
        ({"schema": "none"}, r"no schema of that name: create it with CREATE SCHEMA"),
    ],
)
def test_a_place_that_is_none_is_told_in_a_sentence(postgresql: Server, changes: dict[str, str], reason: str):
    with pytest.raises(StoreError, match=rf"^The database [^\n]*{reason}[^\n]*\.$") as error:
        Store.open(postgresql.url(**changes), create=True)
    assert PASSWORD not in str(error.value)
    assert "not for your eyes" not in str(error.value)


@pytest.fixture
def latin_place(postgresql: Server) -> Iterator[str]:
    postgresql.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0")
    yield postgresql.url(database="latin")
    postgresql.execute("DROP DATABASE latin")


def test_a_database_that_cannot_hold_all_names_is_refused(latin_place: str):
    with pytest.raises(StoreError, match="stores text as LATIN1: create one with ENCODING 'UTF8'"):
        Store.open(latin_place, create=True)


@pytest.fixture
def guest(postgresql: Server) -> Iterator[str]:
    """Somebody who may use no table yet."""
    postgresql.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    yield "guest"
    postgresql.execute("DROP OWNED BY guest", "DROP ROLE guest")


def test_whoever_may_only_read_is_told_in_a_sentence(store: Store, place: str, guest: str):
    schema = place.rpartition("%3D")[2]
    execute(
        place, f"GRANT USAGE ON SCHEMA {schema} TO guest", f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO guest"
    )
    url = make_url(place).set(username=guest, password=guest).render_as_string(hide_password=False)
    with Store.open(url) as again:
        assert again.event() == store.event()
        with pytest.raises(StoreError, match=r"^The database cannot be used: permission denied for table .*\.$"):
            again.finish_event()
        with pytest.raises(StoreError, match="permission denied"), again.held():
            pass


def test_whoever_may_not_make_tables_is_told_in_a_sentence(place: str, guest: str):
    execute(place, f"GRANT USAGE ON SCHEMA {place.rpartition('%3D')[2]} TO guest")
    url = make_url(place).set(username=guest, password=guest).render_as_string(hide_password=False)
    with pytest.raises(StoreError, match="permission denied for schema"):
        Store.open(url, create=True)


def test_a_missing_driver_is_told_with_what_brings_it(monkeypatch: pytest.MonkeyPatch, nowhere: str):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"PostgreSQL driver is missing: pip install 'ordago\[postgres\]'"):
        Store.open(nowhere)


@pytest.mark.parametrize(
    ("url", "sslmode"),
    [
        ("postgresql://db.example/cup", "verify-full"),
        ("postgresql:///cup?host=db.example", "verify-full"),
        ("postgresql://10.0.0.7/cup?sslmode=disable", "disable"),
        ("postgresql://localhost/cup", None),
        ("postgresql:///cup", None),
        ("postgresql:///cup?host=/run/postgresql", None),
    ],
)
def test_over_a_network_the_server_has_to_prove_who_it_is(url: str, sslmode: str | None):
    """Whoever stood between could read the secret of the event before it is revealed."""
    assert postgresql_engine(make_url(url)).url.query.get("sslmode") == sslmode


def test_the_environment_may_name_a_distant_server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PGHOST", "db.example")
    assert postgresql_engine(make_url("postgresql:///cup")).url.query["sslmode"] == "verify-full"
    monkeypatch.setenv("PGSSLMODE", "require")
    assert "sslmode" not in postgresql_engine(make_url("postgresql:///cup")).url.query
