"""Keeps a journal safe and small while it is written."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import trio

from ordago.journal import Journal, JournalError
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

T = TypeVar("T")

SYNC_SECONDS: Final = 1.0
"""A power cut loses what was decided within so much time; the death of the server alone loses nothing."""
_LEAST_FREE_BYTES: Final = 32 << 20
"""With less room on the disk no match begins. Those that run write some kilobytes each, and come to their end."""


async def keep_up(journal: Journal, telemetry: Telemetry) -> None:
    """Bring a journal to the disk from time to time, and compact it when it has grown, until it is cancelled.

    Where it could not be written, try until it can. Where room runs out, say so before it cannot be.

    Args:
        journal: the journal.
        telemetry: where it is told how much was written, and when it can be written again.

    Raises:
        JournalError: the disk failed.
    """
    while True:
        await trio.sleep(SYNC_SECONDS)
        telemetry.counters.journal_bytes = journal.written_bytes
        if telemetry.is_in(Trouble.JOURNAL) and _can_be_written(journal):
            telemetry.is_over(Trouble.JOURNAL)
        _tell_of_room(journal, await _at_the_disk(partial(_synced, journal), telemetry), telemetry)
        if journal.is_overgrown and not journal.is_full:
            # Where there is no room for another file, the one that there is goes on.
            with contextlib.suppress(JournalError):
                journal.begin_compaction()
                await _at_the_disk(journal.sync_compaction, telemetry)
                journal.end_compaction()


def _synced(journal: Journal) -> int:
    """Bring a journal to the disk, keep room for it, and return how many bytes are free beside."""
    journal.renew_reserve()
    free = journal.free_bytes
    journal.sync()
    return free


async def _at_the_disk(work: Callable[[], T], telemetry: Telemetry) -> T:
    """Work in a thread, which is left behind where it hangs when the server ends: the journal has all it was told."""
    with telemetry.waits.waiting(Trouble.JOURNAL, "its disk"):
        return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _tell_of_room(journal: Journal, free: int, telemetry: Telemetry) -> None:
    if free >= _LEAST_FREE_BYTES and not journal.is_full:
        telemetry.is_over(Trouble.ROOM)
    else:
        telemetry.begins(
            Trouble.ROOM, f"{free >> 20} MiB are free, and {_LEAST_FREE_BYTES >> 20} are wanted: make room"
        )


def _can_be_written(journal: Journal) -> bool:
    try:
        journal.try_writing()
    except JournalError:
        return False
    return True
