"""Deadlines that many wait for, looked after by one task."""

import math
from typing import Final, Protocol

import trio

from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry

_AT_A_STROKE: Final = 16
"""So many are told at a stroke that their time is up. Thousands may have come, and gone, at the same time."""


class Waiter(Protocol):
    """Something that is told when its time is up."""

    @property
    def deadline(self) -> float:
        """When its time is up, in seconds of the referee's clock. It may become later, but not earlier."""

    def expire(self) -> None:
        """Note that the time is up. It does not wait any more."""


class DeadlineQueue:
    """Tells those who wait when their time is up.

    A cancel scope for each of them would cost as much as all else that is done for a decision. Nearly all who wait stop
    long before their time is up, and the time that they have is nearly always the same: so one task sleeps until the
    earliest deadline that it knew of when it fell asleep, and then looks who still waits. It ends when nobody does.
    """

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Begin with nobody."""
        self._clock = clock
        self._telemetry = telemetry or Telemetry()
        self._waiting: set[Waiter] = set()
        self._next_look = math.inf
        self._sleep: trio.CancelScope | None = None

    def add(self, waiter: Waiter) -> None:
        """Let somebody wait."""
        self._waiting.add(waiter)
        deadline = waiter.deadline
        if deadline < self._next_look:
            self._look_at(deadline)

    def discard(self, waiter: Waiter) -> None:
        """Note that somebody does not wait any more, if he did."""
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
            # Whatever came in while the loop was busy is taken in first: a late server costs nobody his time.
            await trio.lowlevel.checkpoint()
            await self._look()
        self._sleep = None
        self._next_look = math.inf

    async def _look(self) -> None:
        self._catch_up()
        for number, waiter in enumerate([waiter for waiter in self._waiting if self._is_due(waiter)], start=1):
            # Who comes first may have ended the waiting of who comes after him.
            if waiter in self._waiting and self._is_due(waiter):
                self._waiting.discard(waiter)
                self._expire(waiter)
            if not number % _AT_A_STROKE:
                await trio.lowlevel.checkpoint()
                self._catch_up()
        self._next_look = min((waiter.deadline for waiter in self._waiting), default=math.inf)

    def _catch_up(self) -> None:
        """Take in what has arrived: after the server was held up, more may have than is taken in at a stroke."""
        self._clock.look()
        self._clock.catch_up()

    def _is_due(self, waiter: Waiter) -> bool:
        # Compared by trio's clock, by which the task slept, since the two differ by more than numbers can hold.
        return self._clock.in_trio_time(waiter.deadline) <= trio.current_time()

    def _expire(self, waiter: Waiter) -> None:
        try:
            waiter.expire()
        except Exception:  # noqa: BLE001 - the others wait for this task, and trio ends the server where it fails
            self._telemetry.failed_at("telling that a time is up")
