"""The bridge between trio's thread and grpc's: batches both ways, one wake-up for each."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TypeVar

import trio

from ordago.arena.connection import Visit

T = TypeVar("T")

_LARGEST_BATCH: Final = 512


class Sleeper(Protocol):
    """Something in grpc's thread that is to be woken."""

    def wake(self) -> None:
        """Go on. Called in grpc's thread."""


class Bridge:
    """Carries calls from one thread to the other. Made in trio's thread, used from both."""

    def __init__(self) -> None:
        """Make a bridge whose one end is the running trio loop; ``attach`` gives it the other."""
        self._trio = trio.lowlevel.current_trio_token()
        self._clock_offset = trio.current_time() - time.perf_counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbound: deque[tuple[Visit, bytes, float]] = deque()
        self._inbound_due = False
        self._sleepers: set[Sleeper] = set()
        self._outbound_due = False

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the bridge its end in grpc's thread."""
        self._loop = loop

    def now(self) -> float:
        """Return the time of trio's clock. May be called in both threads."""
        return time.perf_counter() + self._clock_offset

    def deliver(self, visit: Visit, frame: bytes) -> None:
        """Hand a frame to trio's thread, stamped with the time of its arrival. Called in grpc's thread."""
        self._inbound.append((visit, frame, self.now()))
        if not self._inbound_due:
            self._inbound_due = True
            self.post(self._drain)

    def _drain(self) -> None:
        # Cleared first: a frame that comes meanwhile is taken now or causes another wake-up, but is never forgotten.
        self._inbound_due = False
        for _ in range(_LARGEST_BATCH):
            if not self._inbound:
                return
            visit, frame, at = self._inbound.popleft()
            visit.received(frame, at)
        # Others must get their turn between two large batches.
        self._inbound_due = True
        self._trio.run_sync_soon(self._drain)

    def post(self, call: Callable[[], None]) -> None:
        """Run a call in trio's thread, after everything that was delivered before. Called in grpc's thread."""
        # Where trio has ended the server is gone, and with it everybody who could be told.
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(call)

    async def ask(self, question: Callable[[], T]) -> T:
        """Run a call in trio's thread and return its result. Called in grpc's thread."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def settle(result: T) -> None:
            if not answer.cancelled():
                answer.set_result(result)

        def put() -> None:
            loop.call_soon_threadsafe(settle, question())

        self.post(put)
        return await answer

    def wake_later(self, sleeper: Sleeper) -> None:
        """Wake something in grpc's thread together with everything else that is due. Called in trio's thread."""
        self._sleepers.add(sleeper)
        if not self._outbound_due and self._loop is not None:
            self._outbound_due = True
            self._loop.call_soon_threadsafe(self._wake_sleepers)

    def _wake_sleepers(self) -> None:
        # Cleared first, for the same reason as in _drain. The set is emptied piece by piece since trio may add to it.
        self._outbound_due = False
        while self._sleepers:
            self._sleepers.pop().wake()
