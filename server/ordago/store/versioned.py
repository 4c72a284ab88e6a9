"""Data in a database of its own: opened, created, migrated, copied and closed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import ClassVar, NamedTuple, Self

from sqlalchemy import Connection, insert, inspect, select, update

from ordago.store import postgresql, sqlite
from ordago.store.database import Database, Schema, opened_database
from ordago.store.errors import StoreEmptyError, StoreError, StoreOutdatedError


class Migration(NamedTuple):
    """One migration step, or several at once, from older tables to the current ones."""

    content: str
    """The content of the database, as in a sentence about this one: ``the event``."""
    older: int
    newer: int

    def __str__(self) -> str:
        return f"migrated the tables of {self.content} from version {self.older} to {self.newer}"


class Stored:
    """Data in a database of its own, from its opening to its closing."""

    _schema: ClassVar[Schema]

    def __init__(self, database: Database) -> None:
        """Take over an open database. ``open`` opens one."""
        self._database = database

    @classmethod
    def open(cls, where: str | Path, *, create: bool = False, outdated: bool = False) -> Self:
        """Open the database at a path, or at a URL of SQLite or PostgreSQL. Tables of an older Ordago stay as they are.

        Args:
            where: the path of an SQLite file, or a URL such as ``postgresql://user@host/name``.
            create: True to create the database file and the tables where they are missing.
            outdated: whether it may have tables of an older Ordago: to copy them, or to migrate.

        Raises:
            StoreOutdatedError: it has tables of an older Ordago, and may not.
            StoreEmptyError: the database is empty, and nothing is to be created.
            StoreError: there is no database, or it is damaged, of something else, or of an Ordago that is newer.
        """
        database = opened_database(where, create=create)
        try:
            _prepare(database, cls._schema, create=create, outdated=outdated)
        except BaseException:
            database.close()
            raise
        return cls(database)

    @classmethod
    def check_beginning(cls, where: str | Path) -> None:
        """Check that tables could be created in an existing, empty database. Nothing is changed."""
        database = opened_database(where, create=False)
        try:
            database.check_may_create()
        finally:
            database.close()

    @property
    def version(self) -> int:
        """The version of the tables that are there."""
        with self._database.reading() as connection:
            return _version(connection, self._schema)

    @property
    def newest_version(self) -> int:
        """The version that the tables have once they are migrated."""
        return self._schema.version

    @property
    def waited_seconds(self) -> float:
        """The time for which a thread has waited for the database; 0 for none. Any thread may call this."""
        return self._database.waited_seconds

    def migrate(self) -> Migration | None:
        """Bring tables of an older Ordago to those of today; do nothing, and return nothing, where they are of today.

        Nobody else may work on the database meanwhile: an older Ordago could not go on.

        Raises:
            StoreError: the database cannot be migrated; it is unchanged.
        """
        with self._database.writing(bounded=False) as connection:
            version = _version(connection, self._schema)
            if version == self._schema.version:
                return None
            # Its import takes a while, and is needed once in the life of a database.
            from alembic.operations import Operations
            from alembic.runtime.migration import MigrationContext

            operations = Operations(MigrationContext.configure(connection))
            for step in self._schema.steps[version - 1 :]:
                step(operations)
            connection.execute(update(self._schema.version_table).values(version=self._schema.version))
        return Migration(self._schema.this_content, version, self._schema.version)

    def ping(self, *, by_writing: bool = False) -> None:
        """Wait until the database lets a transaction write.

        Args:
            by_writing: whether one does, without changing anything: on a full disk only that fails.

        Raises:
            StoreError: it does not.
        """
        version = self._schema.version_table.c.version
        with self._database.writing() as connection:
            connection.execute(select(version))
            # PostgreSQL finds the holder of the write lock by the version.
            if by_writing and not self._database.is_shared:
                connection.execute(update(self._schema.version_table).values(version=version))

    def check_free(self) -> None:
        """Check that nobody works on this data, as far as the database knows. Nothing is changed.

        Raises:
            StoreBusyError: another process does.
        """
        self._database.check_free(self._schema)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs from this data, as long as this one works on it. Readers need no lock.

        Raises:
            StoreBusyError: another run works on it, or, at any write, did so while this one had lost its connection.
        """
        with self._database.held(self._schema):
            yield

    def check_pages(self) -> None:
        """Check that an SQLite file is intact. It is not read while a server has it.

        Raises:
            StoreError: it is not.
        """
        if not self._database.is_shared:
            with self._database.reading() as connection:
                sqlite.check_pages(connection)

    def copy_to_file(self, file: Path) -> None:
        """Copy a snapshot of all data into an existing, empty file of SQLite; others may write."""
        if not self._database.is_shared:
            self._database.copy_pages(file)
        elif self.version < self._schema.version:
            self._database.copy_as_it_is(file)
        else:
            with type(self).open(file, create=True) as copy:
                self.copy_rows_to(copy)

    def copy_rows_to(self, other: Self) -> None:
        """Copy a snapshot of all data into an empty database; others may write here."""
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


def _prepare(database: Database, schema: Schema, *, create: bool, outdated: bool) -> None:
    """Find out the version of a database, and create the tables where they are missing."""
    with database.reading() as connection:
        if database.is_shared:
            postgresql.check_place(connection)
        tables = inspect(connection).get_table_names()
    if not tables and create:
        _create_tables(database, schema)
    elif not tables:
        raise StoreEmptyError(f"The database is not that of {schema.content}: it is empty.")
    elif schema.version_table.name not in tables:
        raise StoreError(f"The database is not that of {schema.content}: it has other tables.")
    with database.reading() as connection:
        version = _version(connection, schema)
    if version < schema.version and not outdated:
        raise StoreOutdatedError(
            f"The database has tables of version {version} of an older Ordago, and version {schema.version} is "
            "required: stop the server or run that uses it; ordago migrate makes a backup, and migrates them."
        )


def _create_tables(database: Database, schema: Schema) -> None:
    with database.writing() as connection:
        # Another process may have created them since.
        if not inspect(connection).has_table(schema.version_table.name):
            schema.metadata.create_all(connection)
            connection.execute(insert(schema.version_table), {"version": schema.version})


def _version(connection: Connection, schema: Schema) -> int:
    """Return the version of the tables, which is at most our own.

    Raises:
        StoreError: it is newer, or there is none.
    """
    version: int | None = connection.scalar(select(schema.version_table.c.version))
    if version is None or version < 1:
        raise StoreError("The database is damaged: the version of its tables is missing.")
    if version > schema.version:
        raise StoreError(
            f"The database has tables of version {version}, and this version of Ordago knows version {schema.version}: "
            "use the Ordago that wrote it, or a newer one."
        )
    return version
