"""The database below a store: what a transaction is, and how its errors are put."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, MetaData, Table, insert, make_url, select
from sqlalchemy import exc as sqlalchemy_errors
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError

from ordago.store import postgresql, sqlite
from ordago.store.errors import StoreBrokenError, StoreError, StoreFailedError
from ordago.store.sqlite import WRITES

if TYPE_CHECKING:
    from alembic.operations import Operations

_SQLITE: Final = "sqlite"
_ROWS_AT_ONCE: Final = 500
"""The number of rows in memory while a database is copied."""
_POSTGRESQL: Final = frozenset({"postgresql", "postgres", postgresql.DRIVER})
_TURN_SECONDS: Final = 60.0
"""The time to wait for other writers of the same process: a little longer than one of them can take."""


class Schema(NamedTuple):
    """The tables that a database has."""

    content: str
    """The content of the database, as in a sentence: ``an event``."""
    metadata: MetaData
    version_table: Table
    """The table whose one row tells the version. Its name tells databases of different content apart."""
    steps: tuple[Callable[["Operations"], None], ...] = ()
    """The migration from each version of the tables, from 1, to the next, by operations of alembic.

    A step is never edited: it describes the tables of its time, and never imports the current ones.
    """

    @property
    def version(self) -> int:
        """The version of the tables, from 1. It grows with each change of them, for which there is a step."""
        return 1 + len(self.steps)

    @property
    def this_content(self) -> str:
        """The content of this database, as in a sentence: ``the event``."""
        return f"the {self.content.partition(' ')[2]}"


class Database:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        """Take over an engine."""
        self._engine = engine
        self._readers = engine.execution_options(**postgresql.READING if self.is_shared else {})
        self._writers = engine.execution_options(**{WRITES: True})
        self._hold: postgresql.Hold | None = None
        self._held = Lock()
        self._numbers = count()
        self._begun: dict[int, float] = {}
        """The start of each transaction in progress."""

    @property
    def is_shared(self) -> bool:
        """True if several machines may use it."""
        return self._engine.dialect.name != _SQLITE

    @property
    def file(self) -> Path | None:
        """The file of the database; ``None`` for a database server."""
        return None if self.is_shared else Path(self._engine.url.database or "")

    @property
    def waited_seconds(self) -> float:
        """The age of the oldest transaction in progress, in seconds; 0 for none. Any thread may call this."""
        begun = self._begun.copy().values()
        return time.monotonic() - min(begun) if begun else 0.0

    @contextmanager
    def reading(self, *, bounded: bool = True) -> Iterator[Connection]:
        """Open a transaction that only reads, and sees one state of the database throughout.

        Args:
            bounded: True to fail statements that take far longer than those of a match.
        """
        with self._under_way(), _explained(), self._readers.begin() as connection, self._bounds(connection, bounded):
            yield connection

    @contextmanager
    def writing(self, *, bounded: bool = True) -> Iterator[Connection]:
        """Open a write transaction: all of it is committed at the end, or, after an error, nothing."""
        with self._under_way(), self._right_to_write() as connection, self._bounds(connection, bounded):
            yield connection

    @contextmanager
    def _right_to_write(self) -> Iterator[Connection]:
        if self._hold is None:
            with _explained(), self._writers.begin() as connection:
                yield connection
            return
        if not self._held.acquire(timeout=_TURN_SECONDS):
            raise StoreFailedError("The database cannot be used: it is still busy with an earlier request.")
        try:
            with _explained():
                connection = self._hold.connection()
                with connection.begin():
                    yield connection
        finally:
            self._held.release()

    def _bounds(self, connection: Connection, bounded: bool) -> AbstractContextManager[None]:  # noqa: FBT001 - private
        return nullcontext() if bounded or not self.is_shared else postgresql.without_bounds(connection)

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        number = next(self._numbers)
        self._begun[number] = time.monotonic()
        try:
            yield
        finally:
            del self._begun[number]

    @contextmanager
    def held(self, schema: Schema, *, lanes: Table | None = None, lane: int | None = None) -> Iterator[None]:
        """Keep all other processes from holding the database, on any machine; for SQLite from its folder.

        With a lane, by its number in a table of lanes, only those are kept out that want this lane, or the whole.
        """
        if not self.is_shared:
            yield
            return
        rows = schema.version_table if lanes is None else lanes
        with _explained():
            hold = self._hold = postgresql.Hold(self._writers, rows, schema.this_content, lane=lane)
        try:
            yield
        finally:
            self._let_go(hold)

    def _let_go(self, hold: postgresql.Hold) -> None:
        """Release the write lock, unless a thread hangs in it: then it ends with that thread's connection."""
        if self._held.acquire(timeout=postgresql.RELEASE_SECONDS):
            self._hold = None
            self._held.release()
            hold.release()

    def check_free(self, schema: Schema) -> None:
        """Check that nobody works on the database, without changing anything. An SQLite file cannot tell."""
        if self.is_shared:
            with self.reading() as connection:
                postgresql.check_free(connection, schema.this_content)

    def check_may_create(self) -> None:
        """Check that tables could be made in it."""
        if self.is_shared:
            with self.reading() as connection:
                postgresql.check_may_create(connection)

    def copy_pages(self, file: Path) -> None:
        """Copy a database of SQLite as it is at one moment into an empty file.

        Raises:
            StoreError: it cannot be written.
        """
        with self.reading() as connection:
            sqlite.copy_pages(connection, file)

    def copy_rows(self, other: "Database", schema: Schema) -> None:
        """Copy all rows as they are at one moment into a database of any kind that has the same tables, but no rows."""
        tables = [table for table in schema.metadata.sorted_tables if table is not schema.version_table]
        with self.reading(bounded=False) as reading, other.writing(bounded=False) as writing:
            for table in tables:
                _copy_table(reading, writing, table)

    def copy_as_it_is(self, file: Path) -> None:
        """Copy tables and rows of any version, as they are at one moment, into an empty file of SQLite."""
        copy = Database(_engine(URL.create(_SQLITE, database=str(file)), create=True))
        try:
            with self.reading(bounded=False) as reading, copy.writing() as writing:
                tables = _tables_of(reading)
                tables.create_all(writing)
                for table in tables.sorted_tables:
                    _copy_table(reading, writing, table)
        finally:
            copy.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


def _tables_of(connection: Connection) -> MetaData:
    """Return the tables that a database has, in types that any database knows."""
    tables = MetaData()
    tables.reflect(connection)
    for column in (column for table in tables.tables.values() for column in table.columns):
        column.type = column.type.as_generic()
        # Defaults are the business of the database that filled them in; the rows have their values already.
        column.server_default = None
    return tables


def _copy_table(reading: Connection, writing: Connection, table: Table) -> None:
    # In this order each row comes after the rows of its table that it refers to.
    rows = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=_ROWS_AT_ONCE)
    for some in reading.execute(rows).mappings().partitions():
        writing.execute(insert(table), [dict(row) for row in some])


def opened_database(where: str | Path, *, create: bool) -> Database:
    """Open the database at a path or a URL, whatever is in it.

    Raises:
        StoreError: it does not exist, and none is to be created.
    """
    return Database(_engine(_url(where), create=create))


def _url(where: str | Path) -> URL:
    try:
        return make_url(str(where)) if "://" in str(where) else URL.create(_SQLITE, database=str(where))
    except (ArgumentError, ValueError):
        raise StoreError(
            "The location of the database is not a URL: write, for instance, postgresql://USER@HOST/NAME."
        ) from None


def _engine(url: URL, *, create: bool) -> Engine:
    if url.drivername == _SQLITE:
        return sqlite.sqlite_engine(url, create=create)
    if url.drivername not in _POSTGRESQL:
        raise StoreError(f"Ordago has no store in {url.drivername}: write postgresql://USER@HOST/NAME.")
    try:
        return postgresql.postgresql_engine(url)
    except ModuleNotFoundError:
        raise StoreError("The PostgreSQL driver is missing: pip install 'ordago[postgres]'") from None


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the errors of the driver into ours. They are cut off there, since they may quote the row that failed."""
    try:
        yield
    except DBAPIError as error:
        reason = next(iter(str(error.orig).splitlines()), "").rstrip(".") or type(error.orig).__name__
        if _is_refused(error):
            raise StoreError(f"The database refused the change: {reason}.") from None
        # Whatever the change is not to blame for can be mended from outside, and the same change be tried again.
        kind = StoreFailedError if _passes(error) else StoreBrokenError
        raise kind(f"The database cannot be used: {reason}.") from None
    except sqlalchemy_errors.TimeoutError:
        # All connections that there may be wait for the server.
        raise StoreFailedError("The database cannot be used: it is still busy with an earlier request.") from None


def _is_refused(error: DBAPIError) -> bool:
    """Return True if the change itself is to blame: its values do not fit, or contradict what is stored."""
    return isinstance(error, IntegrityError | DataError) or postgresql.refuses(getattr(error.orig, "sqlstate", None))


def _passes(error: DBAPIError) -> bool:
    """Return True if a retry may succeed with nothing mended."""
    if isinstance(error.orig, sqlite3.Error):
        return sqlite.passes(error.orig)
    return postgresql.passes(getattr(error.orig, "sqlstate", None))
