"""Keeps the records of matches in a folder, and does not give up when the disk does."""

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
"""No measurement: a disk with room again is noticed within a minute, and one without is not asked all the time."""
_LAST_SECONDS: Final = 5.0
_MOST_THREADS: Final = 4
"""So many write at once, and where the disk hangs so many hang. Threads of others are left to them."""
_logger = logging.getLogger(__name__)


class RecordFolder:
    """A folder in which records are kept, each in a file with the name of its match."""

    def __init__(self, folder: Path, *, telemetry: Telemetry, journaled: bool = False) -> None:
        """Keep records in a folder that is there.

        Args:
            folder: the folder.
            telemetry: where it is told what is kept.
            journaled: whether a journal has what is not kept, so that it is kept when the server is started again.
        """
        self._folder = folder
        self._telemetry = telemetry
        self._counters = telemetry.counters
        self._journaled = journaled
        self._threads = trio.CapacityLimiter(_MOST_THREADS)

    async def keep(self, record: FinishedRecord) -> None:
        """Keep a record. Where this fails it is tried again, with pauses, until it succeeds.

        If it is cancelled it tries once more, and tells what is lost.
        """
        self._counters.records_waiting += 1
        # Who was left behind in the middle of it, and does not hang, comes to its end before another one begins.
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
        """Tell what becomes of a record that could not be written before the server ends."""
        told = {"match": record.match_id}
        if self._journaled:
            _logger.error("record kept later", extra=told)
        else:
            self._counters.records_lost += 1
            _logger.critical("record lost", extra=told)

    async def _keep_on_trying(self, match_id: str, write: Callable[[], None]) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not await self._kept(match_id, write):
            await trio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    async def _kept_last(self, match_id: str, write: Callable[[], None]) -> bool:
        """Try once more when the server ends, and say whether it succeeded; a disk that hangs is not waited for."""
        with trio.move_on_after(_LAST_SECONDS, shield=True):
            return await self._kept(match_id, write)
        return False

    async def _kept(self, match_id: str, write: Callable[[], None]) -> bool:
        """Try once, and say whether it succeeded."""
        try:
            with self._telemetry.waits.waiting(Trouble.RECORDS, "their disk"):
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
        """Write a file that is there as a whole or not at all, and safe from a power cut: no journal knows it then."""
        write_whole(self._folder / f"{record.match_id}.record", finished_file(record))


async def keep_nothing(_record: FinishedRecord) -> None:
    """Let a record go: nobody asked to keep any."""
