"""The bridge between trio's thread and grpc's: batches both ways, one wake-up for each."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeVar

import outcome
import trio

from ordago.arena.clock import RefereeClock
from ordago.arena.connection import ConnectionHandler
from ordago.telemetry.telemetry import Telemetry

T = TypeVar("T")

_LARGEST_BATCH: Final = 64
"""How many frames are handed over before others in trio's thread get their turn.

A decision costs the server less than 0.1 ms (``ordago bench server``), so that many frames with an answer each hold up
the others for some 6 ms.
"""
_US_A_SECOND: Final = 1_000_000


class Sleeper(Protocol):
    """Something in grpc's thread that is to be woken."""

    def wake(self) -> None:
        """Go on. Called in grpc's thread."""


class _Batch(NamedTuple):
    """Frames that were taken in together."""

    arrived_at: float
    """When the oldest of them arrived, in seconds of the referee's clock."""
    frames: int


_NOTHING: Final = _Batch(0.0, 0)


class Bridge(trio.abc.Instrument):
    """Carries calls from one thread to the other. Made in trio's thread, used from both."""

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Make a bridge whose one end is the running trio loop; ``attach`` gives it the other."""
        self._telemetry = telemetry or Telemetry()
        self.wire = self._telemetry.counters.wire
        """Where is counted what goes over the wire."""
        self.clock = clock
        """The clock that bots are charged by."""
        self._trio = trio.lowlevel.current_trio_token()
        self._clock_offset = trio.current_time() - time.perf_counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbound: deque[Callable[[], None]] = deque()
        """What is to be run in trio's thread, in order: frames that came in, and other calls."""
        self._inbound_due = False
        self._taken = _NOTHING
        # In the order in which they were named, which is the same in every run.
        self._sleepers: dict[Sleeper, None] = {}
        self._urgent: dict[Sleeper, None] = {}
        clock.catch_up = self._take_all
        trio.lowlevel.add_instrument(self)

    def detach(self) -> None:
        """Carry nothing any more. Called in trio's thread."""
        trio.lowlevel.remove_instrument(self)

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the bridge its end in grpc's thread."""
        self._loop = loop

    def now(self) -> float:
        """Return the time of the referee's clock. May be called in both threads."""
        self.clock.look()
        return time.perf_counter() + self._clock_offset - self.clock.lost

    def deliver(self, handler: ConnectionHandler, frame: bytes) -> None:
        """Hand a frame to trio's thread, stamped with the time of its arrival. Called in grpc's thread."""
        self._hand_over(partial(self._take, handler, frame, self.now()))
        self.wire.frames_in += 1
        self.wire.bytes_in += len(frame)

    def _hand_over(self, call: Callable[[], None]) -> None:
        self._inbound.append(call)
        if not self._inbound_due:
            self._inbound_due = True
            self._wake_trio()

    def _wake_trio(self) -> None:
        # Where trio has ended the server is gone, and with it everybody who could be told.
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(self._drain)

    def _drain(self) -> None:
        # Cleared first: what comes meanwhile is taken now or causes another wake-up, but is never forgotten.
        self._inbound_due = False
        for _ in range(_LARGEST_BATCH):
            if not self._inbound:
                return
            self._inbound.popleft()()
        # Others must get their turn between two large batches.
        self._inbound_due = True
        self._wake_trio()

    def _take_all(self) -> None:
        """Take in at once all that has arrived. Called in trio's thread."""
        for _ in range(len(self._inbound)):
            self._inbound.popleft()()

    def _take(self, handler: ConnectionHandler, frame: bytes, at: float) -> None:
        # Of what is taken in during one turn of the loop, the oldest comes first.
        self._taken = _Batch(self._taken.arrived_at if self._taken.frames else at, self._taken.frames + 1)
        try:
            handler.received(frame, at)
        except Exception:  # noqa: BLE001 - whatever a frame brings about, it is the end of one connection at most
            self._telemetry.failed_at("taking in a frame")
            self._run(handler.failed)

    def post(self, call: Callable[[], None]) -> None:
        """Run a call in trio's thread, after everything that was handed over before. Called in grpc's thread."""
        self._hand_over(partial(self._run, call))

    def _run(self, call: Callable[[], None]) -> None:
        """Run a call. Trio would end the server where it fails."""
        try:
            call()
        except Exception:  # noqa: BLE001 - as above
            self._telemetry.failed_at("a call from the wire")

    async def ask(self, question: Callable[[], T]) -> T:
        """Run a call in trio's thread and return its result, or raise what it raises. Called in grpc's thread."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def put() -> None:
            result = outcome.capture(question)
            # Where the loop is closed nobody waits for the answer any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, answer, result)

        self.post(put)
        return await answer

    def wake_later(self, sleeper: Sleeper, *, urgent: bool = False) -> None:
        """Wake something in grpc's thread together with everything else that is due. Called in trio's thread.

        Args:
            sleeper: who is to be woken.
            urgent: whether to wake it before those that are not. A match waits for whoever has a decision to take, and
                nobody waits for what is told besides.
        """
        (self._urgent if urgent else self._sleepers)[sleeper] = None

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - the name and the arguments are trio's
        """Wake those who are to be woken, when all tasks that could run have had their turn. Called by trio.

        To wake them one by one would make the two threads fight for the interpreter, and split into many frames what
        can go out in one.
        """
        if self._taken.frames:
            elapsed_us = max(0, round(_US_A_SECOND * (self.now() - self._taken.arrived_at)))
            self.wire.latency_us.add(elapsed_us, times=self._taken.frames)
            self._taken = _NOTHING
        if (self._urgent or self._sleepers) and self._loop is not None:
            due = {**self._urgent, **self._sleepers}
            self._urgent, self._sleepers = {}, {}
            # Where the loop is closed the server is gone, and nobody is left to be told anything.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_wake, due)


def _settle(answer: asyncio.Future[T], result: outcome.Maybe[T]) -> None:
    if answer.cancelled():
        return
    if isinstance(result, outcome.Error):
        answer.set_exception(result.error)
    else:
        answer.set_result(result.unwrap())


def _wake(sleepers: Iterable[Sleeper]) -> None:
    for sleeper in sleepers:
        sleeper.wake()
