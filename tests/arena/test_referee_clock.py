"""The clock of the referee: it goes as trio's does, but for what was lost, and stands where it is told to."""

import pytest
import trio

from ordago.arena.referee_clock import RefereeClock

pytestmark = pytest.mark.virtual_time


async def test_what_was_lost_is_nobodys_time():
    clock = RefereeClock()
    began = clock.now()
    await trio.sleep(5)
    clock.lost += 3
    assert clock.now() == began + 2
    assert clock.in_trio_time(clock.now()) == trio.current_time()


async def test_it_stands_until_it_goes_on():
    clock = RefereeClock()
    began = clock.now()
    clock.stand()
    await trio.sleep(1)
    assert clock.now() == began
    clock.go_on()
    assert clock.now() == began + 1


async def test_it_can_be_stopped_again():
    clock = RefereeClock()
    clock.stand()
    clock.go_on()
    await trio.sleep(1)
    clock.stand()
    assert clock.now() == trio.current_time()
