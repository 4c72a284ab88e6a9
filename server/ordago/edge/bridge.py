"""The bridge between trio and grpc: it carries calls both ways in batches, with one wake-up for each."""

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
"""For how long frames are taken in before others in trio's thread get their turn."""
_SHARED_TURN_SECONDS: Final = 0.001
"""The same where grpc shares that thread: what comes meanwhile is stamped with its arrival only then."""
_LARGEST_BATCH: Final = 64
"""After so many frames whoever is to be told something is woken, though more of them have come."""
_US_A_SECOND: Final = 1_000_000


class _Batch(NamedTuple):
    """Frames that were taken in together."""

    arrived_at: float
    """When the oldest of them arrived, in seconds of the referee's clock."""
    frames: int


_NOTHING: Final = _Batch(0.0, 0)


class Bridge(ABC):
    """Carries calls to trio's thread, and wakes those in grpc's. Made in trio's thread, used from both.

    There is one bridge for two threads, and one for a thread that both share; ``open_bridge`` returns the right one.
    """

    _turn_seconds: float
    """For how long frames are taken in at a stroke."""

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Make a bridge whose one end is the running trio loop; ``attach`` gives it the other."""
        self._telemetry = telemetry or Telemetry()
        self.wire = self._telemetry.counters.wire
        """Where is counted what goes over the wire."""
        self.clock = clock
        """The clock that bots are charged by."""
        self._clock_offset = trio.current_time() - time.perf_counter()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._inbound: deque[Callable[[], bool]] = deque()
        """What is to be run in trio's thread, in order, and again as long as it says so: frames that came in, and other
        calls."""
        self._inbound_due = False
        self._taken = _NOTHING
        self.waking = Waking(self._begin_waking)
        """Who is to be woken when all that has come is taken in."""
        clock.catch_up = self._take_all

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the bridge its end in grpc's thread."""
        self._loop = loop

    @abstractmethod
    def detach(self) -> None:
        """Carry nothing any more. Called in trio's thread."""

    @abstractmethod
    def _soon(self, call: Callable[[], None]) -> None:
        """Run a call in trio's thread. Called in both."""

    @abstractmethod
    def _begin_waking(self) -> None:
        """See to it that those are woken who are to be. Called in trio's thread."""

    def now(self) -> float:
        """Return the time of the referee's clock. May be called in both threads."""
        self.clock.look()
        return time.perf_counter() + self._clock_offset - self.clock.lost

    def deliver(self, handler: ConnectionHandler, frame: bytes) -> None:
        """Hand a frame to trio's thread, stamped with the time of its arrival. Called in grpc's thread."""
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
        # Cleared first: what comes meanwhile is taken now or causes another wake-up, but is never forgotten.
        self._inbound_due = False
        end = time.perf_counter() + self._turn_seconds
        while self._inbound:
            call = self._inbound.popleft()
            if call():
                self._inbound.appendleft(call)
            if time.perf_counter() > end:
                break
        # Others must get their turn between two of these.
        if self._inbound and not self._inbound_due:
            self._inbound_due = True
            self._soon(self._drain)

    def _take_all(self) -> None:
        """Take in at once all that has arrived. Called in trio's thread."""
        for _ in range(len(self._inbound)):
            call = self._inbound.popleft()
            while call():
                pass

    def _take(self, handler: ConnectionHandler, portions: Iterator[None], at: float) -> bool:
        """Take in the next portion of a frame, and say whether there may be more of it."""
        try:
            for _ in portions:
                return True
        except Exception:  # noqa: BLE001 - whatever a frame brings about, it is the end of one connection at most
            self._telemetry.failed_at("taking in a frame")
            self._run(handler.failed)
        # Of what is taken in before anybody is woken, the oldest comes first.
        self._taken = _Batch(self._taken.arrived_at if self._taken.frames else at, self._taken.frames + 1)
        return False

    def post(self, call: Callable[[], None]) -> None:
        """Run a call in trio's thread, after everything that was handed over before. Called in grpc's thread."""
        self._hand_over(partial(self._run, call))

    def _run(self, call: Callable[[], None]) -> bool:
        """Run a call, once. Trio would end the server where it fails."""
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
            # Where the loop is closed nobody waits for the answer any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, answer, result)

        self.post(put)
        return await answer

    def _due(self) -> list[Sleeper]:
        """Return those who are to be woken now, in order; the batch that was taken in is done with."""
        if self._taken.frames:
            elapsed_us = max(0, round(_US_A_SECOND * (self.now() - self._taken.arrived_at)))
            self.wire.latency_us.add(elapsed_us, times=self._taken.frames)
            self._taken = _NOTHING
        return self.waking.due()


class TwoThreads(Bridge, trio.abc.Instrument):
    """The bridge where grpc has a thread of its own."""

    _turn_seconds = _TURN_SECONDS

    def __init__(self, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Make a bridge; see ``Bridge``."""
        super().__init__(clock, telemetry)
        self._trio = trio.lowlevel.current_trio_token()
        trio.lowlevel.add_instrument(self)

    def detach(self) -> None:
        """Carry nothing any more. Called in trio's thread."""
        trio.lowlevel.remove_instrument(self)

    def _soon(self, call: Callable[[], None]) -> None:
        # Where trio has ended the server is gone, and with it everybody who could be told.
        with suppress(trio.RunFinishedError):
            self._trio.run_sync_soon(call)

    def _begin_waking(self) -> None:
        """Do nothing: trio will say when all tasks that could run have had their turn."""

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - the name and the arguments are trio's
        """Wake those who are to be woken, when all tasks that could run have had their turn. Called by trio."""
        if self._loop is not None and (due := self._due()):
            # Where the loop is closed the server is gone, and nobody is left to be told anything.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_wake, due)


class OneThread(Bridge):
    """The bridge where trio is the guest of grpc's loop: there is nothing to cross, and no thread to be woken."""

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
        """Carry nothing any more."""
        self._open = False

    def _soon(self, call: Callable[[], None]) -> None:
        # Afterwards the server is gone, and with it everybody who could be told.
        if self._open:
            self._host.call_soon(call)

    def _begin_waking(self) -> None:
        self._host.call_soon(self._wake)

    def _drain(self) -> None:
        self.waking.begun = True
        # Whatever bots are told of it is written in later turns of the loop. Of two threads the other one may write it
        # at any time, so there each choice is kept by itself.
        try:
            with self._together():
                super()._drain()
        finally:
            # In the next turn of the loop, so that what has come by then goes out along with it. A quick server would
            # send each decision by itself otherwise, and wake its bots for each: five times the work for both.
            self._begin_waking()

    def _take(self, handler: ConnectionHandler, portions: Iterator[None], at: float) -> bool:
        """Take in the next portion of a frame, while the clock stands: nothing that it brings about is written yet.

        Of two threads the other one may write it at once, and a choice may wait for the disk before anybody is asked.
        """
        self.clock.stand()
        try:
            return super()._take(handler, portions, at)
        finally:
            self.clock.go_on()

    def _wake(self) -> None:
        if self._inbound and self._taken.frames < _LARGEST_BATCH:
            return  # It is drained soon, and they are woken then.
        _wake(self._due())


def open_bridge(clock: RefereeClock, telemetry: Telemetry | None = None, *, together: Together = nullcontext) -> Bridge:
    """Return a bridge from the running trio loop to the loop that grpc will have: that of its host, if it has one.

    Args:
        clock: the clock that bots are charged by.
        telemetry: where it is told what goes over the wire; nowhere if ``None``.
        together: has what bots choose within it kept in one go, at its end, before anybody is told of it.
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
