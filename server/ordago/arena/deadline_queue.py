"""A queue of deadlines, watched by one task."""

import math
from typing import Final, Protocol

import trio

from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry

_AT_A_STROKE: Final = 16
"""Number of waiters to expire before other tasks run. Thousands may have begun, and expire, at the same time."""


class Waiter(Protocol):
    """A waiter with a deadline."""

    @property
    def deadline(self) -> float:
        """The deadline, in seconds of the referee's clock. It may become later, but not earlier."""

    def expire(self) -> None:
        """Note that the time is up. The queue has dropped the waiter before it calls this."""


class DeadlineQueue:
    """Expires waiters when their time is up.

    A cancel scope for each waiter would cost as much as everything else that is done for a decision. Nearly all waiters
    are discarded long before their deadline, and most have the same time. So one task sleeps until the earliest
    deadline known when it fell asleep, then checks the waiters that are left. It ends when there are none.
    """

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Begin without waiters."""
        self._clock = clock
        self._telemetry = telemetry or Telemetry()
        self._waiting: set[Waiter] = set()
        self._next_look = math.inf
        self._sleep: trio.CancelScope | None = None

    def add(self, waiter: Waiter) -> None:
        """Add a waiter."""
        self._waiting.add(waiter)
        deadline = waiter.deadline
        if deadline < self._next_look:
            self._look_at(deadline)

    def discard(self, waiter: Waiter) -> None:
        """Drop a waiter, if it is in the queue."""
        self._waiting.discard(waiter)

    def _look_at(self, deadline: float) -> None:
        self._next_look = deadline
        if self._sleep is None:
            self._sleep = trio.CancelScope()
            trio.lowlevel.spawn_system_task(self._watch)
        self._sleep.deadline = self._clock.in_trio_time(deadline)

    async def _watch(self) -> None:
        while self._waiting:
            self._sleep = trio.CancelScope(deadline=self._clock.in_trio_time(self._next_look))
            with self._sleep:
                await trio.sleep_forever()
            # Answers that arrived while the loop was busy come first: a late server must not cost a bot its time.
            await trio.lowlevel.checkpoint()
            await self._look()
        self._sleep = None
        self._next_look = math.inf

    async def _look(self) -> None:
        self._catch_up()
        for number, waiter in enumerate([waiter for waiter in self._waiting if self._is_due(waiter)], start=1):
            # Expiring one waiter may discard the next ones.
            if waiter in self._waiting and self._is_due(waiter):
                self._waiting.discard(waiter)
                self._expire(waiter)
            if not number % _AT_A_STROKE:
                await trio.lowlevel.checkpoint()
                self._catch_up()
        self._next_look = min((waiter.deadline for waiter in self._waiting), default=math.inf)

    def _catch_up(self) -> None:
        """Process what has arrived: after the server was held up, one turn of the loop may not take in all of it."""
        self._clock.look()
        self._clock.catch_up()

    def _is_due(self, waiter: Waiter) -> bool:
        # Compared in trio's time, by which the task slept: subtracting instead could round to just before the deadline.
        return self._clock.in_trio_time(waiter.deadline) <= trio.current_time()

    def _expire(self, waiter: Waiter) -> None:
        try:
            waiter.expire()
        except Exception:  # noqa: BLE001 - the other waiters need this task, and if it fails trio ends the server
            self._telemetry.failed_at("reporting an expired deadline")
