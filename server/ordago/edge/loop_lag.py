"""Sees when the server loses time: when its process or its machine stands still, no matter why.

What is watched is how late the loop of grpc's thread comes to its turns; that thread reads and writes what bots say.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final

from ordago.arena.referee_clock import RefereeClock

_TURN_SECONDS: Final = 0.02
"""How often the loop looks. So much of a stall at most is counted too much: the part of the last turn in which all was
well."""
_STALL_SECONDS: Final = 0.05
"""A loop that did not come to its turn for longer stood still. Shorter lags cannot be told from ordinary work.

The contract with bots names it (docs/protocol.md, lost time).
"""


class LoopLag:
    """Watches the lag of the loop in grpc's thread. While that does not come to its turn no bot is charged.

    All of the time between two turns counts as lost, since nobody knows when in it the server stood still: what is lost
    is at most one turn less than that, and an error in favour of the bots does no harm.
    """

    def __init__(self, clock: RefereeClock, *, now: Callable[[], float] = time.perf_counter) -> None:
        """Watch for a clock that is told what was lost."""
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._last = now()
        clock.look = self.look

    async def watch(self) -> None:
        """Watch for ever. Runs in grpc's thread."""
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turn(failed)
        try:
            await failed
        finally:
            self._next_turn.cancel()

    def _turn(self, failed: "asyncio.Future[None]") -> None:
        """Take a turn, and the next one in time: a task that sleeps takes two turns of the loop for each of these."""
        self._next_turn = failed.get_loop().call_later(_TURN_SECONDS, self._turn, failed)
        try:
            with self._lock:
                self._note_a_stall()
                self._last = self._now()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the watch is awaited
            if not failed.done():
                failed.set_exception(error)

    def look(self) -> None:
        """See whether the server has just stood still. May be called in any thread, before a time is taken."""
        with self._lock:
            self._note_a_stall()

    def _note_a_stall(self) -> None:
        now = self._now()
        if now - self._last > _STALL_SECONDS:
            self._clock.lost += now - self._last
            self._last = now
