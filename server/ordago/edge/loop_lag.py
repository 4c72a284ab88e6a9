"""Detection of time lost by the server: times in which its process or machine stood still, for any reason.

It measures how late the loop of grpc's thread gets its turns, since that thread reads and writes the bots' messages.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Final

from ordago.arena.referee_clock import RefereeClock

_TURN_SECONDS: Final = 0.02
"""The interval between turns of the watch. A stall is overestimated by at most that: the part of the last interval
before the stall began."""
_STALL_SECONDS: Final = 0.05
"""The longest interval between turns that is no stall. Shorter lags cannot be told from ordinary work.

The contract with bots states it (docs/protocol.md, lost time).
"""


class LoopLag:
    """A watch on the lag of the loop in grpc's thread. No bot is charged while the loop gets no turn.

    All of the time between two turns counts as lost, since it is unknown when in it the stall began. The error is at
    most one interval, in favour of the bots, where it does no harm.
    """

    def __init__(self, clock: RefereeClock, *, now: Callable[[], float] = time.perf_counter) -> None:
        """Watch, and add the lost time to a clock."""
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._last = now()
        clock.look = self.look

    async def watch(self) -> None:
        """Watch until cancelled. Runs in grpc's thread."""
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turn(failed)
        try:
            await failed
        finally:
            self._next_turn.cancel()

    def _turn(self, failed: "asyncio.Future[None]") -> None:
        """Take a turn and schedule the next. A task that sleeps would need two turns of the loop for each."""
        self._next_turn = failed.get_loop().call_later(_TURN_SECONDS, self._turn, failed)
        try:
            with self._lock:
                self._note_a_stall()
                self._last = self._now()
        except Exception as error:  # noqa: BLE001 - it is raised again where the watch is awaited
            if not failed.done():
                failed.set_exception(error)

    def look(self) -> None:
        """Add a stall that has just ended to the clock. May be called in any thread, before a time is taken."""
        with self._lock:
            self._note_a_stall()

    def _note_a_stall(self) -> None:
        now = self._now()
        if now - self._last > _STALL_SECONDS:
            self._clock.lost += now - self._last
            self._last = now
