"""Time in tests: nobody waits, and each wait takes exactly as long as it should."""

import math
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import trio
from trio.testing import MockClock

T = TypeVar("T")


def run_in_virtual_time(
    function: Callable[[], Awaitable[T]],
    *,
    clock: trio.abc.Clock | None = None,
    instruments: Sequence[trio.abc.Instrument] = (),
) -> T:
    """Run an async function under a clock that jumps whenever all wait, if no clock is given."""
    if clock is None:
        clock = MockClock(autojump_threshold=0)
        instruments = (*instruments, _StandsStillForThreads(clock))
    return trio.run(function, clock=clock, instruments=instruments)


class _StandsStillForThreads(trio.abc.Instrument):
    """Lets a clock not jump while a thread is at work: whoever waits for one does not wait for time to pass.

    Threads with limiters of their own do not count: these wait themselves, for a bot to end or to think.
    """

    def __init__(self, clock: MockClock) -> None:
        self._clock = clock

    def after_task_step(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002 - trio's signature
        """Look whether there are threads now, before anybody looks whether all wait."""
        threshold = math.inf if trio.to_thread.current_default_thread_limiter().borrowed_tokens else 0
        if threshold != self._clock.autojump_threshold:
            self._clock.autojump_threshold = threshold
