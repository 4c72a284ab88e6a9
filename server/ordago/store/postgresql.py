"""PostgreSQL: one schema of a database on a server, which several machines can use."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    URL,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Row,
    Table,
    Update,
    create_engine,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy import event as engine_events
from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect, ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from ordago.store.errors import StoreBusyError, StoreError, StoreFailedError
from ordago.store.sqlite import WRITES

if TYPE_CHECKING:  # psycopg may be missing: SQLite works without it
    from ordago.store.bounded import BoundedConnection

DRIVER: Final = "postgresql+psycopg"
READING: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""The options of a connection that only reads."""
_LOCAL: Final = frozenset({"", "localhost", "127.0.0.1", "::1"})
_DEFAULTS: Final = {
    "application_name": "ordago",
    "connect_timeout": "5",
    # A runner that hears nothing from the server for a minute stops waiting; by default it would wait for hours.
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
# The server gives up a machine that has vanished within a minute too, and releases its locks. A result counts when its
# transaction is committed, so every commit has to reach the disk, even if the server does not require that of others.
_SETTINGS: Final = (
    "SET lock_timeout = '20s'",
    # Shorter than the client's own limit, which would leave a statement running.
    "SET statement_timeout = '25s'",
    "SET tcp_keepalives_idle = 30",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)
# Locks have two numbers: their purpose, and the schema that they apply to.
_SCHEMA_NUMBER: Final = "(SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema())"
_RIGHT_NUMBER: Final = 0x6F726472
"""The advisory lock for the right to write: ``ordr`` in ASCII, so that it differs from locks of other programs."""
_WAIT_TO_WRITE: Final = f"SELECT pg_advisory_xact_lock({0x6F726477}, {_SCHEMA_NUMBER})"
_RIGHT: Final = f"{_RIGHT_NUMBER}, {_SCHEMA_NUMBER}"
_TRY_TO_HOLD: Final = f"SELECT pg_try_advisory_lock({_RIGHT})"
# The lock of a lane is that of its number in the schema. No schema has a number as large as the purposes above.
_TRY_TO_HOLD_LANE: Final = (
    f"SELECT pg_try_advisory_lock_shared({_RIGHT}) AND pg_try_advisory_lock({_SCHEMA_NUMBER}, %s)"
)
_TRY_LANE_FOR_NOW: Final = f"SELECT pg_try_advisory_xact_lock({_SCHEMA_NUMBER}, %s)"
_HOLDERS: Final = """
    SELECT pid, backend_start::text FROM pg_locks JOIN pg_stat_activity USING (pid),
    (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AS schema
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
    AND (classid, objid) = (coalesce(%(purpose)s::bigint::oid, schema.oid), coalesce(%(lane)s::oid, schema.oid))
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""The processes of the server that have the right to write, or the lock of a lane."""
_HELD_LANES: Final = """
    SELECT objid::int4 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
    AND classid = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_OWN_PROCESS: Final = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()"
"""The server process of a connection, and its start: process numbers are reused."""
_WITHOUT_BOUND: Final = "SET LOCAL statement_timeout = 0"
RELEASE_SECONDS: Final = 2.0
"""The time to wait for the server when the lock is released: it ends with the connection anyway."""
_WRITTEN_BY: Final[ColumnElement[str]] = literal_column("xmin::text")
"""The transaction that wrote a row last."""
_PASSING: Final = ("08", "53", "55", "57")
"""The classes of errors of a server that is away, has no room, is busy, or is being stopped."""
_TOO_LARGE: Final = "54"
"""The class of errors of values that pass a limit of PostgreSQL; drivers tell it as a failure of the server."""
_READ_ONLY: Final = "25006"
"""The error of a write by a session that may only read: operators, and hosts of full databases, make them so."""


def postgresql_engine(url: URL) -> Engine:
    """Return an engine for a URL, as psycopg reads it.

    Raises:
        StoreError: the URL cannot be that of a database.
        ModuleNotFoundError: psycopg is not installed.
    """
    if "@" in (url.host or ""):
        # Half a password would be taken for a host, and shown.
        raise StoreError("The URL of the database has an @ in its host: write %40 for each @ of a password.")
    url = url.set(drivername=DRIVER)
    defaults = {name: value for name, value in _defaults(url) if name not in url.query}
    # The values of a statement, the secret among them, never appear in a log or an error.
    engine = create_engine(url.update_query_dict(defaults), hide_parameters=True, pool_pre_ping=True)
    engine_events.listen(engine, "do_connect", _bounded)
    engine_events.listen(engine, "connect", _set_up)
    engine_events.listen(engine, "begin", _begin)
    engine_events.listen(engine, "handle_error", _drop_if_read_only)
    return engine


def _drop_if_read_only(context: ExceptionContext) -> None:
    """Give up a session that should write and may only read: it stays so, even once its database may be written."""
    is_reader = context.connection is not None and "postgresql_readonly" in context.connection.get_execution_options()
    if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY and not is_reader:
        context.is_disconnect = True


@contextmanager
def without_bounds(connection: Connection) -> Iterator[None]:
    """Lift the time limit of statements in the current transaction: for those that process whole tables."""
    bounded = _bounded_of(connection)
    connection.exec_driver_sql(_WITHOUT_BOUND)
    before, bounded.answer_seconds = bounded.answer_seconds, None
    try:
        yield
    finally:
        bounded.answer_seconds = before


def _bounded_of(connection: Connection) -> "BoundedConnection":
    bounded: BoundedConnection | None = connection.connection.driver_connection
    assert bounded is not None
    return bounded


def passes(sqlstate: str | None) -> bool:
    """Return True if a retry may succeed. Without a connection there is no SQLSTATE."""
    return sqlstate is None or sqlstate[:2] in _PASSING


def refuses(sqlstate: str | None) -> bool:
    """Return True if a change is too large for any retry."""
    return sqlstate is not None and sqlstate[:2] == _TOO_LARGE


def check_free(connection: Connection, content: str, *, lane: int | None = None) -> None:
    """Check that nobody holds the write lock, or a lane, without taking it.

    Raises:
        StoreBusyError: it is held.
    """
    if _holders(connection, lane):
        raise _busy(content)


def check_may_create(connection: Connection) -> None:
    """Check that tables could be made in the schema of a URL.

    Raises:
        StoreError: they could not.
    """
    leave, user, schema = connection.exec_driver_sql(
        "SELECT has_schema_privilege(current_schema(), 'CREATE'), current_user, current_schema()"
    ).one()
    if not leave:
        raise StoreError(
            f"The database is empty, and {user} may not create tables in its schema {schema}: run GRANT CREATE ON "
            f'SCHEMA "{schema}" TO "{user}".'
        )


def lane_is_free(connection: Connection, lane: int) -> bool:
    """Return True if nobody holds a lane, and keep it free until the end of the transaction."""
    return bool(connection.exec_driver_sql(_TRY_LANE_FOR_NOW, (lane,)).scalar())


def held_lanes(connection: Connection) -> Sequence[int]:
    """Return the numbers of the lanes that somebody holds."""
    return connection.exec_driver_sql(_HELD_LANES).scalars().all()


def _holders(connection: Connection, lane: int | None = None) -> Sequence[Row[Any]]:
    """Return the processes that have the right to write; with a lane, those that hold it."""
    lock = {"purpose": _RIGHT_NUMBER if lane is None else None, "lane": lane}
    return connection.exec_driver_sql(_HOLDERS, lock).all()


def _busy(content: str) -> StoreBusyError:
    return StoreBusyError(f"Another run uses {content} in the database: wait for it, or stop it first.")


def check_place(connection: Connection) -> None:
    """Check that the schema of a URL exists and can hold our tables.

    Raises:
        StoreError: they cannot.
    """
    schema, encoding = connection.execute(text("SELECT current_schema(), current_setting('server_encoding')")).one()
    if schema is None:
        raise StoreError("The database has no schema of that name: create it with CREATE SCHEMA.")
    if encoding != "UTF8":
        raise StoreError(f"The database stores text as {encoding}: create one with ENCODING 'UTF8'.")


def _defaults(url: URL) -> Iterator[tuple[str, str]]:
    yield from _DEFAULTS.items()
    named = (url.host, *map(url.query.get, ("host", "hostaddr")), *map(os.environ.get, ("PGHOST", "PGHOSTADDR")))
    distant = any(host is not None and host not in _LOCAL and not str(host).startswith("/") for host in named)
    # The secret of an event goes over the wire: only to the server itself, unless the organiser says otherwise.
    if distant and "PGSSLMODE" not in os.environ:
        yield "sslmode", "verify-full"


def _bounded(
    _dialect: Dialect, _record: ConnectionPoolEntry, arguments: tuple[Any, ...], options: dict[str, Any]
) -> DBAPIConnection:
    from ordago.store.bounded import BoundedConnection

    connection: DBAPIConnection = BoundedConnection.connect(*arguments, **options)  # type: ignore[assignment]  # it is one
    return connection


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in _SETTINGS:
        cursor.execute(setting)
    cursor.close()
    connection.commit()


def _begin(connection: Connection) -> None:
    # A writer sees everything that others wrote before it: it waits for them, and reads only then.
    if connection.get_execution_options().get(WRITES, False):
        connection.exec_driver_sql(_WAIT_TO_WRITE)


def rewritten(key: Column[Any], *row: ColumnElement[bool]) -> Update:
    """Return the statement that writes a row as it is, so that its holder finds that another process did."""
    return update(key.table).values({key: key}).where(*row)


class Hold:
    """The write lock, for one runner at a time: an advisory lock that ends with its connection.

    The holder writes by this connection alone, so that it cannot write after losing the lock. A
    connection that broke is replaced if nobody else had the lock since: each holder rewrites a row, and the transaction
    that wrote a row last is stored with it.

    Several runners may share the lock, each with a lane of its own that nobody else has.
    """

    def __init__(self, engine: Engine, table: Table, content: str, *, lane: int | None = None) -> None:
        """Take the lock.

        Args:
            engine: leads to the database.
            table: the table of the row that holders rewrite: that of the version, or of the lanes.
            content: the content of the database: ``the event``.
            lane: the number of the lane, which is the key of its row; ``None`` to be the only holder.

        Raises:
            StoreBusyError: another runner holds it.
        """
        [self._key] = table.primary_key.columns
        self._row = () if lane is None else (self._key == lane,)
        self._lane = lane
        self._content = content
        self._connection = engine.connect()
        self._lost = False
        try:
            with self._connection.begin():
                self._lock()
                self._process = self._own_process()
                self._stamp = self._connection.scalar(rewritten(self._key, *self._row).returning(_WRITTEN_BY))
        except BaseException:
            self.release()
            raise

    def connection(self) -> Connection:
        """Return the connection to write by.

        Raises:
            StoreBusyError: the connection broke, and another runner has or had the lock since.
        """
        if self._lost or self._connection.invalidated or not self._answers():
            # The lock stays lost until it is taken again, even if the new connection answers.
            self._lost = True
            self._take_again()
            self._lost = False
        return self._connection

    def release(self) -> None:
        """Release the lock, and end the connection: the server alone would notice a moment later."""
        if not self._connection.invalidated:
            _bounded_of(self._connection).answer_seconds = RELEASE_SECONDS
            with suppress(DBAPIError), self._connection.begin():
                self._connection.exec_driver_sql("SELECT pg_advisory_unlock_all()")
        self._connection.invalidate()
        self._connection.close()

    def _answers(self) -> bool:
        try:
            with self._connection.begin():
                self._connection.exec_driver_sql("SELECT 1")
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            return False
        return True

    def _take_again(self) -> None:
        with self._connection.begin():
            if self._process in _holders(self._connection, self._lane):
                # The server has not noticed yet that this connection broke, or still works for it. End it, so that the
                # lock is free at the next attempt.
                self._connection.exec_driver_sql(f"SELECT pg_terminate_backend({self._process[0]})")
                raise StoreFailedError("The database cannot be used: it is still busy with an earlier request.")
            self._lock()
            process = self._own_process()
            stamp = self._connection.scalar(select(_WRITTEN_BY).select_from(self._key.table).where(*self._row))
        if stamp != self._stamp:
            raise StoreBusyError(f"Another run has used {self._content} in the database meanwhile.")
        self._process = process

    def _lock(self) -> None:
        lock = (_TRY_TO_HOLD,) if self._lane is None else (_TRY_TO_HOLD_LANE, (self._lane,))
        if not self._connection.exec_driver_sql(*lock).scalar():
            raise _busy(self._content)

    def _own_process(self) -> Row[Any]:
        return self._connection.exec_driver_sql(_OWN_PROCESS).one()
