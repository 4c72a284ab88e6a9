"""Bridge between trio and grpc: it passes calls both ways in batches, with one wake-up for each batch."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Final, NamedTuple, TypeAlias, TypeVar

import outcome
import trio

from ordago.arena.connection import ConnectionHandler
from ordago.arena.referee_clock import RefereeClock
from ordago.edge.waking import Sleeper, Waking
from ordago.one_thread import host_loop
from ordago.telemetry.telemetry import Telemetry

T = TypeVar("T")
Together: TypeAlias = Callable[[], AbstractContextManager[None]]

_TURN_SECONDS: Final = 0.006
"""The longest time for which frames are processed before other tasks of trio get their turn."""
_SHARED_TURN_SECONDS: Final = 0.001
"""The same if grpc shares the thread: frames that arrive meanwhile get their time stamps only afterwards."""
_LARGEST_BATCH: Final = 64
"""The most frames to process before the streams with messages are woken, even if more frames wait."""
_US_A_SECOND: Final = 1_000_000


class _Batch(NamedTuple):
    """Frames that were processed together."""

    arrived_at: float
    """The arrival time of the oldest, in seconds of the referee's clock."""
    frames: int


_NOTHING: Final = _Batch(0.0, 0)


class Bridge(ABC):
    """A passage for calls to trio's thread, and for wake-ups to grpc's. Made in trio's thread, used from both.

    One subclass is for two threads, the other for a thread that both share; ``open_bridge`` picks the right one.
    """

    _turn_seconds: float
    """The longest time for which frames are processed in one go."""

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Make a bridge to the running trio loop; ``attach`` adds grpc's loop."""
        self._telemetry = telemetry or Telemetry()
        self.wire = self._telemetry.counters.wire
        """Counters of the traffic."""
        self.clock = clock
        """The clock by which bots are charged."""
        self._clock_offset = trio.current_time() - time.perf_counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbound: deque[Callable[[], bool]] = deque()
        """Calls to run in trio's thread, in order: frames and others. Each is repeated as long as it returns True."""
        self._inbound_due = False
        self._taken = _NOTHING
        self.waking = Waking(self._begin_waking)
        """The streams to wake when all that has arrived is processed."""
        clock.catch_up = self._take_all

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Connect the bridge to the loop of grpc's thread."""
        self._loop = loop

    @abstractmethod
    def detach(self) -> None:
        """Stop passing calls. Called in trio's thread."""

    @abstractmethod
    def _soon(self, call: Callable[[], None]) -> None:
        """Schedule a call in trio's thread. Called in both threads."""

    @abstractmethod
    def _begin_waking(self) -> None:
        """Arrange that the objects in ``waking`` are woken. Called in trio's thread."""

    def now(self) -> float:
        """Return the time of the referee's clock. May be called in both threads."""
        self.clock.look()
        return time.perf_counter() + self._clock_offset - self.clock.lost

    def deliver(self, handler: ConnectionHandler, frame: bytes) -> None:
        """Pass a frame to trio's thread, stamped with its arrival time. Called in grpc's thread."""
        at = self.now()
        self._hand_over(partial(self._take, handler, handler.received(frame, at), at))
        self.wire.frames_in += 1
        self.wire.bytes_in += len(frame)

    def _hand_over(self, call: Callable[[], bool]) -> None:
        self._inbound.append(call)
        if not self._inbound_due:
            self._inbound_due = True
            self._soon(self._drain)

    def _drain(self) -> None:
        # Cleared first: a call that comes meanwhile is run now or causes another wake-up, and is never lost.
        self._inbound_due = False
        end = time.perf_counter() + self._turn_seconds
        while self._inbound:
            call = self._inbound.popleft()
            if call():
                self._inbound.appendleft(call)
            if time.perf_counter() > end:
                break
        # Other tasks of trio get their turn before the rest.
        if self._inbound and not self._inbound_due:
            self._inbound_due = True
            self._soon(self._drain)

    def _take_all(self) -> None:
        """Process all that has arrived, without a pause. Called in trio's thread."""
        for _ in range(len(self._inbound)):
            call = self._inbound.popleft()
            while call():
                pass

    def _take(self, handler: ConnectionHandler, portions: Iterator[None], at: float) -> bool:
        """Process the next portion of a frame; return True if there may be more of it."""
        try:
            for _ in portions:
                return True
        except Exception:  # noqa: BLE001 - an error in one frame ends its connection, not the server
            self._telemetry.failed_at("taking in a frame")
            self._run(handler.failed)
        # The first frame of a batch is the oldest, so its arrival time is that of the batch.
        self._taken = _Batch(self._taken.arrived_at if self._taken.frames else at, self._taken.frames + 1)
        return False

    def post(self, call: Callable[[], None]) -> None:
        """Run a call in trio's thread, after all that was passed before. Called in grpc's thread."""
        self._hand_over(partial(self._run, call))

    def _run(self, call: Callable[[], None]) -> bool:
        """Run a call once, and catch its errors, which would end trio and so the server."""
        try:
            call()
        except Exception:  # noqa: BLE001 - as above
            self._telemetry.failed_at("a call from the wire")
        return False

    async def ask(self, question: Callable[[], T]) -> T:
        """Run a call in trio's thread and return its result, or raise what it raises. Called in grpc's thread."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def put() -> None:
            result = outcome.capture(question)
            # If the loop is closed, nothing waits for the answer any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, answer, result)

        self.post(put)
        return await answer

    def _due(self) -> list[Sleeper]:
        """Return the objects to wake now, in order, and note the latency of the batch that was processed."""
        if self._taken.frames:
            elapsed_us = max(0, round(_US_A_SECOND * (self.now() - self._taken.arrived_at)))
            self.wire.latency_us.add(elapsed_us, times=self._taken.frames)
            self._taken = _NOTHING
        return self.waking.due()


class TwoThreads(Bridge, trio.abc.Instrument):
    """The bridge to a grpc loop in a thread of its own."""

    _turn_seconds = _TURN_SECONDS

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Make a bridge; see ``Bridge``."""
        super().__init__(clock, telemetry)
        self._trio = trio.lowlevel.current_trio_token()
        trio.lowlevel.add_instrument(self)

    def detach(self) -> None:
        """Stop passing calls. Called in trio's thread."""
        trio.lowlevel.remove_instrument(self)

    def _soon(self, call: Callable[[], None]) -> None:
        # If trio has ended, the server is gone, and the call has no purpose any more.
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(call)

    def _begin_waking(self) -> None:
        """Do nothing: trio calls ``before_io_wait`` when all tasks that could run have had their turn."""

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - the name and the arguments are trio's
        """Wake the objects in ``waking``. Called by trio when all tasks that could run have had their turn."""
        if self._loop is not None and (due := self._due()):
            # If the loop is closed, the server is gone, and there are no streams left to wake.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_wake, due)


class OneThread(Bridge):
    """The bridge for trio as a guest of grpc's loop: both share a thread, so no other thread has to be woken."""

    _turn_seconds = _SHARED_TURN_SECONDS

    def __init__(
        self,
        clock: RefereeClock,
        telemetry: Telemetry | None = None,
        *,
        host: asyncio.AbstractEventLoop,
        together: Together,
    ) -> None:
        """Make a bridge in the thread of a loop; see ``Bridge``."""
        super().__init__(clock, telemetry)
        self._host = host
        self._together = together
        self._open = True

    def detach(self) -> None:
        """Stop passing calls."""
        self._open = False

    def _soon(self, call: Callable[[], None]) -> None:
        # After ``detach`` the server is gone, and the call has no purpose any more.
        if self._open:
            self._host.call_soon(call)

    def _begin_waking(self) -> None:
        self._host.call_soon(self._wake)

    def _drain(self) -> None:
        self.waking.begun = True
        # All messages that result are written in later turns of the loop, so the choices can be stored together before.
        # With two threads the other one may write at any time, so there each choice is stored separately.
        try:
            with self._together():
                super()._drain()
        finally:
            # In the next turn of the loop, so that messages due by then go out together. Otherwise a fast server would
            # send each decision in a frame of its own, and wake its bots for each: five times the work for both.
            self._begin_waking()

    def _take(self, handler: ConnectionHandler, portions: Iterator[None], at: float) -> bool:
        """Process the next portion of a frame with the clock stopped, since no message that results is written yet.

        With two threads the clock runs: the other one may write a message at once, even while a choice waits for the
        disk.
        """
        self.clock.stand()
        try:
            return super()._take(handler, portions, at)
        finally:
            self.clock.go_on()

    def _wake(self) -> None:
        if self._inbound and self._taken.frames < _LARGEST_BATCH:
            return  # ``_drain`` is scheduled, and wakes them afterwards.
        _wake(self._due())


def open_bridge(clock: RefereeClock, telemetry: Telemetry | None = None, *, together: Together = nullcontext) -> Bridge:
    """Return a bridge from the running trio loop to that of grpc, which is the host loop of trio if there is one.

    Args:
        clock: the clock by which bots are charged.
        telemetry: receives the traffic and errors; ``None`` for none.
        together: a context that stores all choices made within it in one go at its end, before messages are sent.
    """
    host = host_loop()
    if host is None:
        return TwoThreads(clock, telemetry)
    return OneThread(clock, telemetry, host=host, together=together)


def _settle(answer: asyncio.Future[T], result: outcome.Maybe[T]) -> None:
    if answer.cancelled():
        return
    if isinstance(result, outcome.Error):
        answer.set_exception(result.error)
    else:
        answer.set_result(result.unwrap())


def _wake(sleepers: list[Sleeper]) -> None:
    for sleeper in sleepers:
        sleeper.wake()
