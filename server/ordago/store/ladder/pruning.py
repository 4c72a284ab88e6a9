"""Select records of a standing ladder to delete for room, and delete them without delaying matches."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from sqlalchemy import Update, delete, select, update

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
    ends = {one.epoch: following.began for one, following in pairwise(epochs)}
    due = []
    room = sum(epoch.record_bytes for epoch in epochs)
    for epoch in epochs:
        if not epoch.verified or epoch.pruned:
            continue
        old = days is not None and ends[epoch.epoch] <= latest - days * _DAY_SECONDS
        if old or (most_bytes is not None and room > most_bytes):
            room -= epoch.record_bytes
            due.append(epoch)
    return due


def prune(database: Database, *, days: float | None, most_bytes: int | None) -> Pruned:
    """Delete the records that are due, and those whose deletion was interrupted when a server ended."""
    with database.writing() as connection:
        rows = connection.execute(select(tables.epochs).order_by(tables.epochs.c.epoch))
        epochs = [tables.epoch_of(row) for row in rows]
        latest = connection.scalar(select(tables.ladder.c.latest)) or 0
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
