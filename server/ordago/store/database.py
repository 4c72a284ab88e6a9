"""The database below a store: how it is opened, what a transaction is, and how its errors are put."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Final, NamedTuple, Self

from sqlalchemy import URL, Connection, Engine, MetaData, Table, create_engine, insert, inspect, make_url, select
from sqlalchemy import event as engine_events
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry

from ordago.store.errors import StoreError
from ordago.store.files import private_file

_SQLITE: Final = "sqlite"
_IN_MEMORY: Final = (None, "", ":memory:")
"""What SQLite calls a database that is in no file."""
# A result counts when its transaction is committed, so every commit has to reach the disk; readers do not wait.
_SQLITE_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
_SQLITE_PATIENCE_SECONDS: Final = 60
"""Whoever writes holds the others up for some milliseconds; only a disk that is stuck takes so long."""
_WRITES: Final = "ordago_writes"


class Schema(NamedTuple):
    """The tables that a database has."""

    content: str
    """What the database holds, as a sentence about it says: ``an event``."""
    metadata: MetaData
    version_table: Table
    """The table whose one row tells the version. Its name tells databases of different content apart."""
    version: int
    """The version of the tables. It grows when an older Ordago could not read them."""


class Database:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        """Take over an engine."""
        self._readers = engine
        self._writers = engine.execution_options(**{_WRITES: True})

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that only reads, and sees one state of the database throughout."""
        with _explained(), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that writes: all of it is committed at the end, or, after an error, nothing."""
        with _explained(), self._writers.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._readers.dispose()


class Stored:
    """What is kept in a database of its own, from its opening to its closing."""

    _schema: ClassVar[Schema]

    def __init__(self, database: Database) -> None:
        """Take over an open database. ``open`` opens one."""
        self._database = database

    @classmethod
    def open(cls, where: str | Path, *, create: bool = False) -> Self:
        """Open what is at a path, or at a URL of any database that SQLAlchemy knows.

        Args:
            where: the path of an SQLite file, or a URL such as ``postgresql://user@host/name``.
            create: whether to create the database file and the tables where there are none.

        Raises:
            StoreError: there is no database, or it is damaged, of something else, or written by a newer Ordago.
        """
        return cls(_open_database(where, cls._schema, create=create))

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
    url = _url(where, create=create)
    if create and url.get_backend_name() == _SQLITE and url.database not in _IN_MEMORY:
        _make_file(Path(url.database or ""))
    database = Database(_engine(url))
    try:
        _prepare(database, schema, create=create)
    except BaseException:
        database.close()
        raise
    return database


def _url(where: str | Path, *, create: bool) -> URL:
    try:
        url = make_url(str(where)) if "://" in str(where) else URL.create(_SQLITE, database=str(where))
    except ArgumentError:
        raise StoreError("The place of the database is no URL: postgresql://USER@HOST/NAME, for instance.") from None
    is_file = url.get_backend_name() == _SQLITE
    # SQLite would create an empty file where there is none.
    if is_file and not create and not Path(url.database or "").is_file():
        raise StoreError(f"There is no database at {url.database}.")
    return url


def _make_file(path: Path) -> None:
    """Make the file of a database before SQLite does, which would let others read it. The files beside it follow it."""
    try:
        private_file(path)
    except OSError as error:
        raise StoreError(f"The database cannot be used: {path}: {error.strerror}.") from None


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() != _SQLITE:
            # The values of a statement, the secret among them, never appear in a log or an error.
            return create_engine(url, hide_parameters=True)
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": _SQLITE_PATIENCE_SECONDS})
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(f"The driver of a {url.get_backend_name()} database is not installed: {error}.") from None
    engine_events.listen(engine, "connect", _set_up_sqlite)
    engine_events.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Python's own transactions begin only at the first write: they are switched off, and begun here instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in _SQLITE_SETTINGS:
        cursor.execute(setting)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that first reads and then writes would fail if another one wrote in between: it waits its turn.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _prepare(database: Database, schema: Schema, *, create: bool) -> None:
    with database.reading() as connection:
        tables = inspect(connection).get_table_names()
    if not tables and create:
        _create_tables(database, schema)
    elif schema.version_table.name not in tables:
        raise StoreError(f"The database is not that of {schema.content}: it has other tables, or none.")
    _check_version(database, schema)
    # Tables may have come since, which an older Ordago has no need of.
    if tables and not set(schema.metadata.tables) <= set(tables):
        with database.writing() as connection:
            schema.metadata.create_all(connection)


def _create_tables(database: Database, schema: Schema) -> None:
    with database.writing() as connection:
        # Somebody else may have created them since.
        if not inspect(connection).has_table(schema.version_table.name):
            schema.metadata.create_all(connection)
            connection.execute(insert(schema.version_table), {"version": schema.version})


def _check_version(database: Database, schema: Schema) -> None:
    with database.reading() as connection:
        version = connection.scalar(select(schema.version_table.c.version))
    if version != schema.version:
        raise StoreError(
            f"The database has tables of version {version}, this Ordago knows version {schema.version}: "
            "use the Ordago that wrote it, or a newer one."
        )


@contextmanager
def _explained() -> Iterator[None]:
    """Turn the errors of the driver into ours. They are cut off there, since they may quote the row that failed."""
    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
        verb = "refuses this" if isinstance(error, IntegrityError) else "cannot be used"
        raise StoreError(f"The database {verb}: {reason}.") from None
