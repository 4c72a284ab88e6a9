"""The server sees when it stood still, and the time is taken from the clock that bots are charged by."""

import asyncio

import pytest

from ordago.arena.referee_clock import RefereeClock
from ordago.edge.loop_lag import LoopLag


class FakeTime:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_loop_that_turns_in_time_loses_nothing() -> None:
    time, clock = FakeTime(), RefereeClock()
    lag = LoopLag(clock, now=time)
    for _ in range(10):
        time.seconds += 0.04
        asyncio.run(_turn_once(lag))
    assert clock.lost == 0


def test_a_stall_is_lost_once_whoever_sees_it_first() -> None:
    time, clock = FakeTime(), RefereeClock()
    lag = LoopLag(clock, now=time)
    time.seconds += 30
    clock.look()
    clock.look()
    asyncio.run(_turn_once(lag))
    assert clock.lost == 30
    time.seconds += 2
    asyncio.run(_turn_once(lag))
    clock.look()
    assert clock.lost == 32


def test_looking_does_not_stand_in_for_a_turn() -> None:
    """Trio's thread may be awake while grpc's is not."""
    time, clock = FakeTime(), RefereeClock()
    LoopLag(clock, now=time)
    for _ in range(3):
        time.seconds += 0.04
        clock.look()
    assert clock.lost > 0


async def _turn_once(lag: LoopLag) -> None:
    watching = asyncio.ensure_future(lag.watch())
    await asyncio.sleep(0)
    watching.cancel()


class BrokenTime(FakeTime):
    """A clock that breaks while it is watched, after some looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks

    def __call__(self) -> float:
        self.left -= 1
        if self.left < 0:
            raise OSError("the clock is broken")
        return self.seconds


def test_a_watch_that_fails_later_fails_where_it_is_awaited() -> None:
    """Its turns are nobody's task, and a server that is not watched any more is put down."""
    # One look when it is made, and two in each turn.
    lag = LoopLag(RefereeClock(), now=BrokenTime(looks=1 + 2 * 2))
    with pytest.raises(OSError, match="the clock is broken"):
        asyncio.run(lag.watch())
