"""Databases of older versions are opened where what they hold is enough, and refused in a sentence elsewhere."""

from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select
from support.ladders import ladder_row
from support.later_tables import CHANGED, upgrade
from support.ledgers import beginning

from ordago.store import StoreError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.database import Schema
from ordago.store.errors import StoreOutdatedError
from ordago.store.event.store import Store
from ordago.store.ladder.store import LadderStore
from ordago.store.versioned import Stored

SECRET = bytes(32)
KINDS = [Store, Accounts, LadderStore]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def stored_kind(request: pytest.FixtureRequest, place: Path | str) -> type[Stored]:
    """A kind of content, of which there is some in a database of today."""
    kind: type[Stored] = request.param
    with kind.open(place, create=True) as stored:
        if isinstance(stored, Store):
            begin = beginning(secret=SECRET, entrants=["ana"])
            stored.begin_event(begin, settings="[event]", identity="d", secret=SECRET)
        elif isinstance(stored, Accounts):
            for name in ("ana", "ben"):
                stored.create_token(account=name, scopes=[Scope.PLAY], now=1_800_000_000)
        elif isinstance(stored, LadderStore):
            stored.create(ladder_row())
            stored.begin_epoch(1, began=1_800_000_000)
    return kind


def migrated(kind: type[Stored], place: Path | str) -> Stored:
    """Open what an older Ordago kept, with the tables of this one."""
    with pytest.raises(StoreOutdatedError, match="ordago migrate makes a backup"):
        kind.open(place)
    stored = kind.open(place, outdated=True)
    try:
        stored.migrate()
    except StoreError:
        stored.close()
        raise
    return stored


def differences(stored: Stored) -> list[object]:
    """Return what the tables of a database have otherwise than those that are made anew."""
    with stored._database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, stored._schema.metadata))


def contents(stored: Stored, schema: Schema) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the tables of a schema hold, but for their version, by the names of the tables."""
    tables = [table for table in schema.metadata.sorted_tables if table.name != schema.version_table.name]
    with stored._database.reading() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr) for table in tables
        }


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_tables_that_are_made_anew_are_of_the_version_that_the_steps_lead_to(kind: type[Stored], place: Path | str):
    with kind.open(place, create=True) as stored:
        assert stored.version == stored.newest_version == 1 + len(kind._schema.steps)
        assert differences(stored) == []
        assert stored.migrate() is None


@pytest.mark.slow
@pytest.mark.parametrize("steps_before", [0, 1])
def test_the_steps_that_are_due_are_taken_in_order_and_what_was_there_stays(
    stored_kind: type[Stored], place: Path | str, steps_before: int, monkeypatch: pytest.MonkeyPatch
):
    with stored_kind.open(place) as stored:
        schema = stored._schema
        before = contents(stored, schema)
    assert any(before.values())
    if steps_before:
        upgrade(monkeypatch, steps=steps_before)
        migrated(stored_kind, place).close()
    upgrade(monkeypatch)
    with migrated(stored_kind, place) as later:
        assert later.version == 3
        assert differences(later) == []
        assert contents(later, schema) == before
        changed = len(before[CHANGED[schema]])
        mascots = contents(later, later._schema)["mascots"]
        assert mascots == [(1, f"one of {changed}")], "the last step sees what the one before it made"


def test_a_migration_that_fails_leaves_nothing(
    stored_kind: type[Stored], place: Path | str, monkeypatch: pytest.MonkeyPatch
):
    upgrade(monkeypatch)
    with monkeypatch.context() as broken:
        broken.setattr(Operations, "create_table", _fail)
        with pytest.raises(StoreError, match="no table today"):
            migrated(stored_kind, place)
    with migrated(stored_kind, place) as stored:
        assert differences(stored) == []


def _fail(*_: object, **__: object) -> None:
    raise StoreError("There is no table today.")


def test_older_tables_are_copied_as_they_are_and_migrated_where_they_went(
    stored_kind: type[Stored], place: Path | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A backup is made before a migration, of what any database holds."""
    copy = tmp_path / "copy.sqlite"
    copy.touch()
    upgrade(monkeypatch)
    with stored_kind.open(place, outdated=True) as stored:
        stored.copy_to_file(copy)
        assert stored.version == 1 < stored.newest_version
        with stored_kind.open(copy, outdated=True) as copied:
            assert copied.version == 1
            for both in (stored, copied):
                both.migrate()
                assert both.migrate() is None, "it is there already"
            assert contents(stored, stored._schema) == contents(copied, copied._schema)
            assert stored.version == copied.version == 3
