"""Sync and compact a journal while it is written."""

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
"""Interval between syncs. A power cut loses the choices of that time; a crash of the server alone loses nothing."""
_LEAST_FREE_BYTES: Final = 32 << 20
"""Free disk space below which no match begins. Running ones write some kilobytes each, and so can end."""


async def keep_up(journal: Journal, telemetry: Telemetry) -> None:
    """Sync a journal every ``SYNC_SECONDS``, and compact it when it has grown, until cancelled.

    After a failed write, retry until one succeeds. Report low disk space before writes fail.

    Args:
        journal: the journal.
        telemetry: receives the bytes written, and troubles and their ends.

    Raises:
        JournalError: the disk failed.
    """
    while True:
        await trio.sleep(SYNC_SECONDS)
        telemetry.counters.journal_bytes = journal.written_bytes
        if telemetry.is_in(Trouble.JOURNAL) and _can_be_written(journal):
            telemetry.is_over(Trouble.JOURNAL)
        free = await _at_the_disk(partial(_synced, journal), telemetry)
        telemetry.counters.free_bytes = free
        _tell_of_room(journal, free, telemetry)
        if journal.is_overgrown and not journal.is_full:
            # Without room for another file, the old one is used on.
            with contextlib.suppress(JournalError):
                journal.begin_compaction()
                await _at_the_disk(journal.sync_compaction, telemetry)
                journal.end_compaction()


def _synced(journal: Journal) -> int:
    """Sync a journal, renew its reserve of disk space, and return the bytes free besides it."""
    journal.renew_reserve()
    free = journal.free_bytes
    journal.sync()
    return free


async def _at_the_disk(work: Callable[[], T], telemetry: Telemetry) -> T:
    """Run in a thread, which is abandoned if the disk hangs at shutdown: the journal file has all choices by then."""
    with telemetry.waits.waiting(Trouble.JOURNAL, "its disk"):
        return await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _tell_of_room(journal: Journal, free: int, telemetry: Telemetry) -> None:
    if free >= _LEAST_FREE_BYTES and not journal.is_full:
        telemetry.is_over(Trouble.ROOM)
    else:
        telemetry.begins(
            Trouble.ROOM, f"{free >> 20} MiB are free, and {_LEAST_FREE_BYTES >> 20} are needed: free some space"
        )


def _can_be_written(journal: Journal) -> bool:
    try:
        journal.try_writing()
    except JournalError:
        return False
    return True
