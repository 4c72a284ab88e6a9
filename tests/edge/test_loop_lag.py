"""The server sees when it stood still, and the time is taken from the clock that bots are charged by."""

import asyncio

from ordago.arena.clock import RefereeClock
from ordago.edge.loop_lag import LoopLag


class FakeTime:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_heart_that_beats_in_time_loses_nothing() -> None:
    time, clock = FakeTime(), RefereeClock()
    heart = LoopLag(clock, now=time)
    for _ in range(10):
        time.seconds += 0.04
        asyncio.run(_beat_once(heart))
    assert clock.lost == 0


def test_a_stall_is_lost_once_whoever_sees_it_first() -> None:
    time, clock = FakeTime(), RefereeClock()
    heart = LoopLag(clock, now=time)
    time.seconds += 30
    clock.look()
    clock.look()
    asyncio.run(_beat_once(heart))
    assert clock.lost == 30
    time.seconds += 2
    asyncio.run(_beat_once(heart))
    clock.look()
    assert clock.lost == 32


def test_looking_does_not_stand_in_for_a_beat() -> None:
    """Trio's thread may be awake while grpc's is not."""
    time, clock = FakeTime(), RefereeClock()
    LoopLag(clock, now=time)
    for _ in range(3):
        time.seconds += 0.04
        clock.look()
    assert clock.lost > 0


async def _beat_once(heart: LoopLag) -> None:
    beating = asyncio.ensure_future(heart.beat())
    await asyncio.sleep(0)
    beating.cancel()
