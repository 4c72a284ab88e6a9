"""SQLite files from untrusted sources.

The schema of such a file is a program: views, triggers, defaults and expressions of indexes are evaluated by every
reader or writer. So only the rows of plain tables are used, which are copied into tables of ours.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, LargeBinary, Table

from ordago.store.database import Schema
from ordago.store.errors import StoreError

# As SQLite advises for files that are not trusted: https://www.sqlite.org/security.html
_GUARDS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA ignore_check_constraints = ON",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",
)
_PROGRAMS: Final = "SELECT type, name FROM main.sqlite_schema WHERE type IN ('trigger', 'view')"
_EXPRESSIONS: Final = """
    SELECT 'index', listed.name FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS listed
    WHERE tables.schema = 'main' AND tables.type = 'table' AND listed.origin = 'c'
    AND (listed.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(listed.name) WHERE cid = -2))
"""
"""Partial and expression indexes, which are evaluated; none of ours is one."""
_STRANGE: Final = """
    SELECT name FROM pragma_table_list WHERE schema = 'main' AND type != 'table'
    UNION ALL
    SELECT tables.name FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.schema = 'main' AND columns.hidden != 0
"""
"""Virtual tables, and tables whose columns are evaluated."""


def disarm(file: Path, schema: Schema) -> None:
    """Remove everything from a file but plain tables whose columns hold values of our types."""
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            for guard in _GUARDS:
                connection.execute(guard)
            for kind, name in [*connection.execute(_PROGRAMS), *connection.execute(_EXPRESSIONS)]:
                connection.execute(f"DROP {kind} main.{_quoted(name)}")
            _check_pages(connection)
            for (name,) in connection.execute(_STRANGE):
                raise StoreError(f"The database is not that of {schema.content}: {name!r} is not a table.")
            for table in schema.metadata.sorted_tables:
                _check_values(connection, table)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreError(f"The database cannot be used: {error}.") from None


def _check_pages(connection: sqlite3.Connection) -> None:
    [found] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise StoreError(f"The database is damaged: {str(found).splitlines()[-1]}.")


def _check_values(connection: sqlite3.Connection, table: Table) -> None:
    """Check that the columns hold values of our types: SQLite accepts any value in any column."""
    there = {name for (name,) in connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table.name,))}
    for column in table.columns:
        if column.name in there:
            allowed = ", ".join(f"'{kind}'" for kind in _kinds(column))
            place = f"{_quoted(table.name)} WHERE typeof({_quoted(column.name)}) NOT IN ({allowed})"
            if connection.execute(f"SELECT 1 FROM main.{place} LIMIT 1").fetchone():  # noqa: S608 - of our own schema
                raise StoreError(f"The database is damaged: a value in {table.name}.{column.name} is of another type.")


def _kinds(column: Column[Any]) -> Iterator[str]:
    """Yield the types of SQLite that a column may have values of."""
    if column.nullable:
        yield "null"
    # Booleans are a kind of Integer to SQLite, and all else that we keep is text.
    if isinstance(column.type, LargeBinary):
        yield "blob"
    else:
        yield "integer" if column.type.python_type in (int, bool) else "text"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
