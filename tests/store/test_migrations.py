"""Databases of older versions are opened where what they hold is enough, and refused in a sentence elsewhere."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Table, select
from support.older import make_older
from support.postgresql import execute

from ordago.record import StrikeCount
from ordago.store import PlayedMatch, StoreError
from ordago.store.account_rows import KnownBot, Limits, Scope
from ordago.store.account_tables import ACCOUNTS_SCHEMA
from ordago.store.accounts import Accounts
from ordago.store.database import Schema
from ordago.store.errors import StoreOutdatedError
from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_store import LadderStore
from ordago.store.ladder_tables import LADDER_SCHEMA
from ordago.store.migrations import steps_of
from ordago.store.store import Store
from ordago.store.stored import Stored
from ordago.store.tables import EVENT_SCHEMA, SCHEMA_VERSION

Stored_ = TypeVar("Stored_", bound=Stored)
MakePlayed = Callable[..., PlayedMatch]
BEGUN = {
    1: "INSERT INTO event VALUES (1, 'cup', '[event]', 'd', '', '', false)",
    2: "INSERT INTO event VALUES (1, 'cup', '[event]', 'd', '', '', true)",
}


def migrated(kind: type[Stored_], place: Path | str) -> Stored_:
    """Open what an older Ordago kept, with the tables of today."""
    with pytest.raises(StoreOutdatedError, match="ordago migrate makes a backup"):
        kind.open(place)
    stored = kind.open(place, outdated=True)
    try:
        stored.migrate()
    except StoreError:
        stored.close()
        raise
    return stored


def differences(stored: Store | Accounts | LadderStore, schema: Schema) -> list[object]:
    """Return what the tables of a database have otherwise than those that are made today."""
    with stored._database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, schema.metadata))


@pytest.mark.parametrize("schema", [EVENT_SCHEMA, ACCOUNTS_SCHEMA, LADDER_SCHEMA])
def test_the_last_step_leads_to_the_tables_of_today(schema: Schema):
    assert steps_of(schema.migrations).get_current_head() == str(schema.version)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_store_without_event_becomes_one_of_today(place: Path | str, version: int):
    make_older(place, f"event_{version}")
    with migrated(Store, place) as store:
        assert differences(store, EVENT_SCHEMA) == []
        assert store.matches() == []
    with Store.open(place) as store, store._database.reading() as connection:
        assert connection.exec_driver_sql("SELECT version FROM schema_version").scalars().all() == [SCHEMA_VERSION]


@pytest.mark.parametrize("version", BEGUN)
def test_an_event_from_before_the_ledger_is_refused_and_left_alone(place: Path | str, version: int):
    """Nothing could be proved of it; its own Ordago can still show it."""
    make_older(place, f"event_{version}", BEGUN[version])
    with pytest.raises(StoreError, match=r"^The database holds 'cup' from before events had ledgers, .* anew"):
        migrated(Store, place)
    execute(place, "UPDATE event SET settings_digest = 'as it was'")


def test_what_an_older_store_holds_is_there_afterwards(store: Store, place: Path | str, played: MakePlayed):
    store.commit_results([played(0)])
    before = store.state()
    store.close()
    execute(place, "DROP TABLE strikes", "UPDATE schema_version SET version = 3")
    with migrated(Store, place) as again:
        assert again.state() == before
        again.commit_results([played(1)])
        assert [found.result.strikes for found in again.state().results] == [
            ((), (), ()),
            ((StrikeCount("follow_suit", 1),), (), ()),
        ]


def test_a_step_that_was_taken_in_part_already_is_taken(store: Store, place: Path | str):
    store.close()
    execute(place, "UPDATE schema_version SET version = 3")
    with migrated(Store, place) as again:
        assert differences(again, EVENT_SCHEMA) == []


def test_a_migration_that_fails_leaves_nothing(place: Path | str, monkeypatch: pytest.MonkeyPatch):
    make_older(place, "event_1")
    monkeypatch.setattr("alembic.operations.Operations.create_table", _fail)
    with pytest.raises(StoreError, match="no table today"):
        migrated(Store, place)
    monkeypatch.undo()
    with migrated(Store, place) as store:
        assert differences(store, EVENT_SCHEMA) == []


def _fail(*_: object, **__: object) -> None:
    raise StoreError("There is no table today.")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_older_accounts_become_accounts_of_today(place: Path | str, version: int):
    make_older(place, f"accounts_{version}")
    with migrated(Accounts, place) as accounts:
        assert differences(accounts, ACCOUNTS_SCHEMA) == []
        assert accounts.bots() == [KnownBot("Deep", "ana", "1", "b", 1_800_000_001)]
        assert accounts.owners(now=1_800_000_000) == {"deep": "ana"}
        assert accounts.log(most=9) == [], "nothing is known of what was done before"
        accounts.unban("ana", now=1_800_000_009)
        assert [entry.account for entry in accounts.log(most=9)] == ["ana"]


def test_whoever_had_tokens_has_an_account_with_what_they_were_good_for(place: Path | str):
    """Also those whose names look alike, which none can be opened with any more."""
    make_older(place, "accounts_2")
    with migrated(Accounts, place) as accounts:
        play, observe = Scope.PLAY, Scope.OBSERVE
        known = {one.name: (one.roles, one.created_at) for one in accounts.accounts()}
        assert known == {
            "ana": ({play, observe}, 1_700_000_000),
            "Ana": ({play}, 1_700_000_003),
            "b\"e'n": ({Scope.ADMIN, Scope.ORGANISE}, 1_700_000_004),
        }
        assert {one.token.id: one.scopes for one in accounts.holders()} == {
            "t1": {play}, "t2": {observe}, "t3": {play}, "t4": {Scope.ADMIN, Scope.ORGANISE},
        }  # fmt: skip
        assert {(one.limits, one.banned_at) for one in accounts.accounts()} == {(Limits(2048, 2048, 2048, 64), None)}
        with pytest.raises(StoreError, match="taken, or looks like one"):
            accounts.create_token(account="ANA", scopes=[play], now=1_800_000_000)


def test_an_older_ladder_goes_on_in_the_season_without_a_name(place: Path | str):
    make_older(place, "ladder_1")
    with migrated(LadderStore, place) as store, LadderQueries.open(place) as queries:
        assert differences(store, LADDER_SCHEMA) == []
        assert queries.ladder().season == ""
        assert [(epoch.epoch, epoch.season) for epoch in queries.epochs()] == [(1, "")]


@pytest.mark.parametrize(("kind", "name"), [(Store, "event_3"), (Accounts, "accounts_2"), (LadderStore, "ladder_1")])
def test_older_tables_are_copied_as_they_are_and_migrated_where_they_went(
    kind: type[Stored], name: str, place: Path | str, tmp_path: Path
):
    """A backup is made before a migration, of what any database holds."""
    make_older(place, name)
    copy = tmp_path / "copy.sqlite"
    copy.touch()
    with kind.open(place, outdated=True) as stored:
        older = stored.version
        stored.copy_to_file(copy)
        assert stored.version == older < stored.newest_version
        with kind.open(copy, outdated=True) as copied:
            assert copied.version == older
            for both in (stored, copied):
                both.migrate()
                assert both.migrate() is None, "it is there already"
            schema = kind._schema
            assert all(_rows(stored, table) == _rows(copied, table) for table in schema.metadata.sorted_tables)


def _rows(stored: Stored, table: Table) -> list[object]:
    with stored._database.reading() as connection:
        return sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
