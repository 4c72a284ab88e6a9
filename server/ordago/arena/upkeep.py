"""Keeps a journal safe and small while it is written."""

import contextlib
from typing import Final

import trio

from ordago.journal import Journal, JournalError
from ordago.telemetry.counters import Counters

SYNC_SECONDS: Final = 1.0
"""A power cut loses what was decided within so much time; the death of the server alone loses nothing."""


async def keep_up(journal: Journal, counters: Counters) -> None:
    """Bring a journal to the disk from time to time, and compact it when it has grown, until it is cancelled.

    Args:
        journal: the journal.
        counters: where it is counted how much was written.

    Raises:
        JournalError: the disk failed.
    """
    while True:
        await trio.sleep(SYNC_SECONDS)
        counters.journal_bytes = journal.written_bytes
        await trio.to_thread.run_sync(journal.sync)
        if journal.is_overgrown:
            # Where there is no room for another file, the one that there is goes on.
            with contextlib.suppress(JournalError):
                journal.begin_compaction()
                await trio.to_thread.run_sync(journal.sync_compaction)
                journal.end_compaction()
