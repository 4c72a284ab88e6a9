"""Select records of a standing ladder to delete for room, and delete them without delaying matches."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from sqlalchemy import Connection, Update, delete, select, update

from ordago.store.database import Database
from ordago.store.ladder import schema as tables
from ordago.store.ladder.rows import EpochRow

_DAY_SECONDS: Final = 24 * 60 * 60
_AT_ONCE: Final = 500
"""The number of records deleted in one transaction, which takes some milliseconds."""


class Pruned(NamedTuple):
    """The records that were deleted."""

    epochs: tuple[int, ...]
    """The epochs whose records went."""
    record_bytes: int
    """Their size in bytes. The database reuses the space; its file does not shrink."""


def due_to_go(epochs: Sequence[EpochRow], *, latest: int, days: float | None, most_bytes: int | None) -> list[EpochRow]:
    """Return the epochs whose records are to go, the oldest first: none that is not verified.

    Args:
        epochs: all epochs in order.
        latest: the time to which ages are counted.
        days: for so long after their epoch records are kept; ``None``: for ever.
        most_bytes: so much room they may take, those that may not go among them; ``None``: whatever they take.
    """
    old = set[int]() if days is None else _ended_before(epochs, latest - days * _DAY_SECONDS)
    due = []
    room = sum(epoch.record_bytes for epoch in epochs)
    for epoch in epochs:
        if not epoch.verified or epoch.pruned:
            continue
        if epoch.epoch in old or (most_bytes is not None and room > most_bytes):
            room -= epoch.record_bytes
            due.append(epoch)
    return due


def _ended_before(epochs: Sequence[EpochRow], time: float) -> set[int]:
    return {epoch.epoch for epoch, following in pairwise(epochs) if following.began <= time}


def long_pruned(connection: Connection, *, days: float) -> list[int]:
    """Return the epochs that ended so many days ago and whose records the store has deleted, in order."""
    epochs, latest = _read(connection)
    old = _ended_before(epochs, latest - days * _DAY_SECONDS)
    return [epoch.epoch for epoch in epochs if epoch.epoch in old and epoch.pruned and not epoch.record_bytes]


def _read(connection: Connection) -> tuple[list[EpochRow], int]:
    """Return all epochs in order, and the latest time that the ladder saw."""
    rows = connection.execute(select(tables.epochs).order_by(tables.epochs.c.epoch))
    return [tables.epoch_of(row) for row in rows], connection.scalar(select(tables.ladder.c.latest)) or 0


def prune(database: Database, *, days: float | None, most_bytes: int | None) -> Pruned:
    """Delete the records that are due, and those whose deletion was interrupted when a server ended."""
    with database.writing() as connection:
        epochs, latest = _read(connection)
        due = due_to_go(epochs, latest=latest, days=days, most_bytes=most_bytes)
        for epoch in due:
            # From here on nothing reads them.
            connection.execute(_of(epoch.epoch).values(pruned=True))
    going = [epoch for epoch in epochs if epoch in due or (epoch.pruned and epoch.record_bytes)]
    for epoch in going:
        _remove_records(database, epoch)
    return Pruned(tuple(epoch.epoch for epoch in going), sum(epoch.record_bytes for epoch in going))


def _of(epoch: int) -> Update:
    return update(tables.epochs).where(tables.epochs.c.epoch == epoch)


def _remove_records(database: Database, epoch: EpochRow) -> None:
    end = epoch.first_serial + epoch.matches
    for start in range(epoch.first_serial, end, _AT_ONCE):
        last = min(start + _AT_ONCE, end) - 1
        with database.writing() as connection:
            for table in (tables.records, tables.refusals):
                connection.execute(delete(table).where(table.c.serial.between(start, last)))
    with database.writing() as connection:
        connection.execute(_of(epoch.epoch).values(record_bytes=0))
