"""Tables of a later Ordago, to which made-up steps lead: what an Ordago of today keeps is older then."""

from collections.abc import Iterator

import pytest
from alembic.operations import Operations
from sqlalchemy import Column, Integer, MetaData, String, Table, text

from ordago.store.accounts.schema import ACCOUNTS_SCHEMA
from ordago.store.database import Schema
from ordago.store.event.schema import EVENT_SCHEMA
from ordago.store.ladder.schema import LADDER_SCHEMA
from ordago.store.versioned import Stored

CHANGED = {EVENT_SCHEMA: "entrants", ACCOUNTS_SCHEMA: "accounts", LADDER_SCHEMA: "players"}
"""The table that gets a column, for each kind of content."""


def later(schema: Schema, *, steps: int = 2) -> Schema:
    """Return the schema after some of two steps: the first makes a column, the second a table with a row."""
    metadata, changed = MetaData(), CHANGED[schema]
    for table in schema.metadata.sorted_tables:
        table.to_metadata(metadata)
    metadata.tables[changed].append_column(_motto())
    if steps > 1:
        Table("mascots", metadata, *_mascot())

    def add_motto(operations: Operations) -> None:
        operations.add_column(changed, _motto())

    def make_mascots(operations: Operations) -> None:
        mascots = operations.create_table("mascots", *_mascot())
        count = operations.get_bind().scalar(text(f"SELECT count(*) FROM {changed} WHERE motto = ''"))  # noqa: S608 - ours
        operations.bulk_insert(mascots, [{"id": 1, "name": f"one of {count}"}])

    version_table = metadata.tables[schema.version_table.name]
    taken = (add_motto, make_mascots)[:steps]
    return schema._replace(metadata=metadata, version_table=version_table, steps=taken)


def upgrade(monkeypatch: pytest.MonkeyPatch, *, steps: int = 2) -> None:
    """Let this Ordago be a later one, whose tables are some steps further."""
    for kind in _kinds(Stored):
        known = getattr(kind, "_schema", None)
        if known is not None:
            today = next(schema for schema in CHANGED if schema.content == known.content)
            monkeypatch.setattr(kind, "_schema", later(today, steps=steps))


def _kinds(kind: type[Stored]) -> Iterator[type[Stored]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _motto() -> Column[str]:
    return Column("motto", String, nullable=False, server_default="")


def _mascot() -> tuple[Column[int], Column[str]]:
    return Column("id", Integer, primary_key=True, autoincrement=False), Column("name", String, nullable=False)
