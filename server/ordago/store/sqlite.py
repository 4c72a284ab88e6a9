"""SQLite: a database in a file of its own."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine
from sqlalchemy import event as engine_events
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from ordago.files import PRIVATE_FILE, private_file
from ordago.store.errors import StoreBusyError, StoreError

WRITES: Final = "ordago_writes"
"""The option of a connection whose transactions write: they come one after the other."""


_IN_MEMORY: Final = (None, "", ":memory:")
"""The names that SQLite takes for a database without a file."""
# A result counts when its transaction is committed, so every commit has to reach the disk; readers do not wait.
_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
)
_PATIENCE_SECONDS: Final = 60
"""A writer delays the others by some milliseconds; only a stuck disk takes this long."""
_PASSING: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_KIND: Final = 0xFF
"""The bits of an SQLite error code that give its kind."""


def sqlite_engine(url: URL, *, create: bool) -> Engine:
    """Return an engine for the file of a URL.

    Raises:
        StoreError: it does not exist and is not to be created, or it cannot be.
    """
    # SQLite would create an empty file where there is none.
    if not create and not Path(url.database or "").is_file():
        raise StoreError(f"There is no database at {url.database}.")
    if create and url.database not in _IN_MEMORY:
        _make_file(Path(url.database or ""))
    # The values of a statement, the secret among them, never appear in a log or an error.
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": _PATIENCE_SECONDS})
    engine_events.listen(engine, "connect", _set_up)
    if url.database not in _IN_MEMORY:
        _hold_to(Path(url.database or ""), engine)
    engine_events.listen(engine, "begin", _begin)
    return engine


def passes(error: sqlite3.Error) -> bool:
    """Return True if a retry may succeed."""
    return getattr(error, "sqlite_errorcode", 0) & _KIND in _PASSING


@contextmanager
def held_file(path: Path, content: str) -> Iterator[None]:
    """Lock the database in a file against all others, by a lock file beside it. The lock ends with the process.

    Args:
        path: the file of the database.
        content: the content of the database: ``the event``.

    Raises:
        StoreBusyError: another process works on it.
        StoreError: the lock file cannot be created.
    """
    # A link to the file has the same lock.
    lock = FileLock(f"{path.resolve()}-held", mode=PRIVATE_FILE)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise StoreBusyError(f"Another server uses {content} in {path}: stop it first, or wait for it.") from None
    except OSError as error:
        raise StoreError(f"The database cannot be used: {lock.lock_file}: {error.strerror}.") from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def used_file(path: Path, content: str, *, alone: bool = False) -> Iterator[None]:
    """Mark the database in a file as used by a server, or lock it for exclusive use.

    Args:
        path: the file of the database.
        content: the content of the database: ``the accounts of a server``.
        alone: True for exclusive use.

    Raises:
        StoreBusyError: others use it, or one of them exclusively.
        StoreError: the lock file cannot be created.
    """
    lock = Path(f"{path.resolve()}-used")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
    except OSError as error:
        raise StoreError(f"The database cannot be used: {lock}: {error.strerror}.") from None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        who = "A server uses" if alone else "A migration uses"
        raise StoreBusyError(f"{who} {content} in {path}: stop it first, or wait for it.") from None
    finally:
        os.close(descriptor)


def check_pages(connection: Connection) -> None:
    """Check that a database is intact."""
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    if found != "ok":
        raise StoreError(f"The database is damaged: {str(found).splitlines()[-1]}.")


def copy_pages(connection: Connection, file: Path) -> None:
    """Copy a snapshot of a connection's database into an empty file, while others write."""
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    try:
        with closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        raise StoreError(f"The copy {file} cannot be written: {error}.") from None


def _make_file(path: Path) -> None:
    """Create a database file before SQLite does, which would let others read it. Its side files get the same mode."""
    try:
        private_file(path)
    except OSError as error:
        raise StoreError(f"The database cannot be used: {path}: {error.strerror}.") from None


def _hold_to(path: Path, engine: Engine) -> None:
    """Let no transaction begin once the file is gone, or was replaced by another.

    Connections that are open would go on with a file that nobody finds any more, and what they commit would be lost.
    New ones would make an empty file.
    """
    opened = _identity(path)

    def check(*_: object, **__: object) -> None:
        if _identity(path) != opened:
            raise StoreError(
                f"The database at {path} was deleted or replaced while it was used: restore it, and start again."
            )

    engine_events.listen(engine, "do_connect", check)
    engine_events.listen(engine, "begin", check)


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; ``None`` if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_up(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Python's own transactions begin only at the first write: they are switched off, and begun here instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in _SETTINGS:
        cursor.execute(setting)
    cursor.close()


def _begin(connection: Connection) -> None:
    # A transaction that first reads and then writes would fail if another one wrote in between: it waits its turn.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
