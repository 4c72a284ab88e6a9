"""Storage of match records in a folder, with retries while the disk fails."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final

import trio

from ordago.files import write_whole
from ordago.record import FinishedRecord, finished_file
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

_FIRST_PAUSE_SECONDS: Final = 1.0
_LONGEST_PAUSE_SECONDS: Final = 60.0
"""Longest pause between retries. Not measured: free space is noticed within a minute, and a full disk is left alone
meanwhile."""
_LAST_SECONDS: Final = 5.0
_MOST_THREADS: Final = 4
"""Maximum of threads that write at once, so that a disk that hangs does not block all of trio's worker threads."""
_logger = logging.getLogger(__name__)


class RecordFolder:
    """A folder of match records, each in a file named by its match ID."""

    def __init__(self, folder: Path, *, telemetry: Telemetry, journaled: bool = False) -> None:
        """Store records in an existing folder.

        Args:
            folder: the folder.
            telemetry: receives the counts, and troubles with the disk.
            journaled: True if a journal holds the matches until their records are stored, so that a record not stored
                now is stored after a restart.
        """
        self._folder = folder
        self._telemetry = telemetry
        self._counters = telemetry.counters
        self._journaled = journaled
        self._threads = trio.CapacityLimiter(_MOST_THREADS)

    async def keep(self, record: FinishedRecord) -> None:
        """Store a record. If that fails, retry with growing pauses until it succeeds.

        If it is cancelled, try once more, and log the record as lost or postponed if that fails.
        """
        self._counters.records_waiting += 1
        # An abandoned attempt may still be writing. The lock lets it finish before the next one begins.
        write = partial(self._write_in_turn, record, Lock())
        try:
            await self._keep_on_trying(record.match_id, write)
        except trio.Cancelled:
            if not await self._kept_last(record.match_id, write):
                self._leave(record)
            raise
        finally:
            self._counters.records_waiting -= 1

    def _leave(self, record: FinishedRecord) -> None:
        """Log that a record could not be stored before the server ends, and is postponed or lost."""
        where = {"match": record.match_id}
        if self._journaled:
            _logger.error("record saved at the next start", extra=where)
        else:
            self._counters.records_lost += 1
            _logger.critical("record lost", extra=where)

    async def _keep_on_trying(self, match_id: str, write: Callable[[], None]) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not await self._kept(match_id, write):
            await trio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    async def _kept_last(self, match_id: str, write: Callable[[], None]) -> bool:
        """Try once more at shutdown, for ``_LAST_SECONDS`` at most; return True if it succeeded."""
        with trio.move_on_after(_LAST_SECONDS, shield=True):
            return await self._kept(match_id, write)
        return False

    async def _kept(self, match_id: str, write: Callable[[], None]) -> bool:
        """Try once; return True if it succeeded."""
        try:
            with self._telemetry.waits.waiting(Trouble.RECORDS, "their disk"):
                # Abandoned when cancelled: a disk that hangs must not keep the server from ending.
                await trio.to_thread.run_sync(write, abandon_on_cancel=True, limiter=self._threads)
        except OSError as error:
            self._counters.record_failures += 1
            where = {"match": match_id, "folder": str(self._folder)}
            self._telemetry.begins(Trouble.RECORDS, error.strerror or str(error), **where)
            return False
        self._telemetry.is_over(Trouble.RECORDS)
        self._counters.records_kept += 1
        return True

    def _write_in_turn(self, record: FinishedRecord, turn: Lock) -> None:
        with turn:
            self._write(record)

    def _write(self, record: FinishedRecord) -> None:
        """Write a file atomically, and sync it, since the journal drops the match afterwards."""
        write_whole(self._folder / f"{record.match_id}.record", finished_file(record))


async def keep_nothing(_record: FinishedRecord) -> None:
    """Drop a record, for a server that stores none."""
