"""The database below a store: how it is opened, what a transaction is, and how its errors are put."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import ClassVar, Final, NamedTuple, Self

from sqlalchemy import URL, Connection, Engine, MetaData, Table, insert, inspect, make_url, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError

from ordago.store import postgresql, sqlite
from ordago.store.errors import StoreError, StoreFailedError
from ordago.store.transactions import WRITES

_SQLITE: Final = "sqlite"
_ROWS_AT_ONCE: Final = 500
_POSTGRESQL: Final = frozenset({"postgresql", "postgres", postgresql.DRIVER})


class Schema(NamedTuple):
    """The tables that a database has."""

    content: str
    """What the database holds, as a sentence about it says: ``an event``."""
    metadata: MetaData
    version_table: Table
    """The table whose one row tells the version. Its name tells databases of different content apart."""
    version: int
    """The version of the tables. It grows with each change of them, and a migration leads to it."""
    migrations: str
    """What the migrations of these tables are called."""

    @property
    def this_content(self) -> str:
        """What a database holds, as a sentence about this one says: ``the event``."""
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

    @property
    def is_shared(self) -> bool:
        """Whether several machines may use it."""
        return self._engine.dialect.name != _SQLITE

    @property
    def file(self) -> Path | None:
        """The file that it is in; ``None`` where a server has it."""
        return None if self.is_shared else Path(self._engine.url.database or "")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that only reads, and sees one state of the database throughout."""
        with _explained(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that writes: all of it is committed at the end, or, after an error, nothing."""
        if self._hold is None:
            with _explained(), self._writers.begin() as connection:
                yield connection
        else:
            with self._held, _explained():
                connection = self._hold.connection()
                with connection.begin():
                    yield connection

    @contextmanager
    def held(self, schema: Schema) -> Iterator[None]:
        """Keep all others from doing the same, on whatever machine; those of SQLite are kept from its folder."""
        if not self.is_shared:
            yield
            return
        with _explained():
            self._hold = postgresql.Hold(self._writers, schema.version_table, schema.this_content)
        try:
            yield
        finally:
            self._hold.release()
            self._hold = None

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
        with self.reading() as reading, other.writing() as writing:
            for table in tables:
                # In this order each row stands behind those of its table that it refers to.
                rows = select(table).order_by(*table.primary_key.columns).execution_options(yield_per=_ROWS_AT_ONCE)
                for some in reading.execute(rows).mappings().partitions():
                    writing.execute(insert(table), [dict(row) for row in some])

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


class Stored:
    """What is kept in a database of its own, from its opening to its closing."""

    _schema: ClassVar[Schema]

    def __init__(self, database: Database) -> None:
        """Take over an open database. ``open`` opens one."""
        self._database = database

    @classmethod
    def open(cls, where: str | Path, *, create: bool = False) -> Self:
        """Open what is at a path, or at a URL of SQLite or PostgreSQL.

        Args:
            where: the path of an SQLite file, or a URL such as ``postgresql://user@host/name``.
            create: whether to create the database file and the tables where there are none.

        Raises:
            StoreError: there is no database, or it is damaged, of something else, or of an Ordago that is newer, or too
                old.
        """
        return cls(_open_database(where, cls._schema, create=create))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs from what is kept here, as long as this one works on it. Whoever only reads needs no leave.

        Raises:
            StoreBusyError: another run works on it, or, at any write, did so while this one had lost its connection.
        """
        with self._database.held(self._schema):
            yield

    def check_pages(self) -> None:
        """Look whether the file of a database of SQLite is whole. Nothing is looked at where a server has it.

        Raises:
            StoreError: it is not.
        """
        if not self._database.is_shared:
            with self._database.reading() as connection:
                sqlite.check_pages(connection)

    def copy_to_file(self, file: Path) -> None:
        """Copy all that is kept here at this moment into a file of SQLite, which is there and empty; others may write.

        Raises:
            StoreError: it cannot be written.
        """
        if self._database.is_shared:
            with type(self).open(file, create=True) as copy:
                self.copy_rows_to(copy)
        else:
            self._database.copy_pages(file)

    def copy_rows_to(self, other: Self) -> None:
        """Copy all that is kept here at this moment to where nothing is kept yet; others may write here."""
        self._database.copy_rows(other._database, self._schema)

    def close(self) -> None:
        """Close the database. What was committed stays."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _open_database(where: str | Path, schema: Schema, *, create: bool) -> Database:
    """Open the database at a path or a URL.

    Raises:
        StoreError: there is none and none is to be created, or it has other tables, or it is of a newer Ordago.
    """
    database = Database(_engine(_url(where), create=create))
    try:
        _prepare(database, schema, create=create)
    except BaseException:
        database.close()
        raise
    return database


def _url(where: str | Path) -> URL:
    try:
        return make_url(str(where)) if "://" in str(where) else URL.create(_SQLITE, database=str(where))
    except (ArgumentError, ValueError):
        raise StoreError("The place of the database is no URL: postgresql://USER@HOST/NAME, for instance.") from None


def _engine(url: URL, *, create: bool) -> Engine:
    if url.drivername == _SQLITE:
        return sqlite.sqlite_engine(url, create=create)
    if url.drivername not in _POSTGRESQL:
        raise StoreError(f"There is no store in {url.drivername}: postgresql://USER@HOST/NAME names one.")
    try:
        return postgresql.postgresql_engine(url)
    except ModuleNotFoundError:
        raise StoreError("The driver of PostgreSQL is missing: pip install 'ordago[postgres]' brings it.") from None


def _prepare(database: Database, schema: Schema, *, create: bool) -> None:
    with database.reading() as connection:
        if database.is_shared:
            postgresql.check_place(connection)
        tables = inspect(connection).get_table_names()
    if not tables and create:
        _create_tables(database, schema)
    elif schema.version_table.name not in tables:
        raise StoreError(f"The database is not that of {schema.content}: it has other tables, or none.")
    with database.reading() as connection:
        version = _version(connection, schema)
    if version < schema.version:
        _migrate(database, schema)


def _create_tables(database: Database, schema: Schema) -> None:
    with database.writing() as connection:
        # Somebody else may have created them since.
        if not inspect(connection).has_table(schema.version_table.name):
            schema.metadata.create_all(connection)
            connection.execute(insert(schema.version_table), {"version": schema.version})


def _migrate(database: Database, schema: Schema) -> None:
    # It takes a while to import, and is needed once in the life of a database.
    from ordago.store.migrations import migrate

    with database.writing() as connection:
        # Somebody else may have done so since.
        migrate(connection, schema.migrations, version=_version(connection, schema))
        connection.execute(update(schema.version_table).values(version=schema.version))


def _version(connection: Connection, schema: Schema) -> int:
    """Return the version of the tables, which is at most our own.

    Raises:
        StoreError: it is newer.
    """
    version = connection.scalar(select(schema.version_table.c.version)) or 0
    if version > schema.version:
        raise StoreError(
            f"The database has tables of version {version}, this Ordago knows version {schema.version}: "
            "use the Ordago that wrote it, or a newer one."
        )
    return version


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the errors of the driver into ours. They are cut off there, since they may quote the row that failed."""
    try:
        yield
    except DBAPIError as error:
        reason = next(iter(str(error.orig).splitlines()), "").rstrip(".") or type(error.orig).__name__
        if isinstance(error, IntegrityError):
            raise StoreError(f"The database refuses this: {reason}.") from None
        kind = StoreFailedError if _passes(error) else StoreError
        raise kind(f"The database cannot be used: {reason}.") from None


def _passes(error: DBAPIError) -> bool:
    """Say whether the same may go well another time."""
    if isinstance(error.orig, sqlite3.Error):
        return sqlite.passes(error.orig)
    return postgresql.passes(getattr(error.orig, "sqlstate", None))
