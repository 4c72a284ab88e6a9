"""Time in tests: nobody waits, and each wait takes exactly as long as it should."""

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
    return trio.run(function, clock=clock or MockClock(autojump_threshold=0), instruments=instruments)
