"""Sees when the server loses time: when its process or its machine stands still, no matter why."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final

from ordago.arena.clock import RefereeClock

_BEAT_SECONDS: Final = 0.02
"""At most so much of a stall is counted too much: the part of the last beat in which the server was still well."""
_STALL_SECONDS: Final = 0.05
"""A heart that did not beat for longer than this stood still. Shorter delays cannot be told from ordinary work.

The contract with bots names it (docs/protocol.md, lost time).
"""


class LoopLag:
    """A heart in grpc's thread, which reads and writes what bots say. While it does not beat no bot is charged.

    All of the time between two beats counts as lost, since nobody knows when in it the server stood still: what is lost
    is at most one beat less than that, and an error in favour of the bots does no harm.
    """

    def __init__(self, clock: RefereeClock, *, now: Callable[[], float] = time.perf_counter) -> None:
        """Watch for a clock that is told what was lost."""
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._last = now()
        clock.look = self.look

    async def beat(self) -> None:
        """Beat for ever. Runs in grpc's thread."""
        while True:
            with self._lock:
                self._note_a_stall()
                self._last = self._now()
            await asyncio.sleep(_BEAT_SECONDS)

    def look(self) -> None:
        """See whether the server has just stood still. May be called in any thread, before a time is taken."""
        with self._lock:
            self._note_a_stall()

    def _note_a_stall(self) -> None:
        now = self._now()
        if now - self._last > _STALL_SECONDS:
            self._clock.lost += now - self._last
            self._last = now
