"""A server that is held up notices it."""

import logging

import pytest
from support.clocks import run_in_virtual_time
from trio.testing import MockClock, wait_all_tasks_blocked

from ordago.arena.chronicle import Chronicle
from ordago.arena.clock import RefereeClock
from ordago.arena.pulse import watched_pulse


def stalls_when(*jumps: float) -> Chronicle:
    """Return what is told when the clock jumps like this, with a beat between two jumps."""
    chronicle, clock, referee = Chronicle(), MockClock(), RefereeClock()
    referee.lost = 0.25

    async def run() -> None:
        async with watched_pulse(chronicle, referee):
            for jump in jumps:
                await wait_all_tasks_blocked()
                clock.jump(jump)
            await wait_all_tasks_blocked()

    run_in_virtual_time(run, clock=clock)
    return chronicle


def test_a_server_that_is_not_held_up_tells_nothing() -> None:
    census = stalls_when(*[0.1] * 50).census
    assert (census.stalls, census.stalled_seconds) == (0, 0)
    assert census.turned_at > 0
    assert census.lost_seconds == 0.25


def test_what_is_lost_is_counted_and_told(caplog: pytest.LogCaptureFixture) -> None:
    census = stalls_when(0.1, 3.1, 0.1, 0.1, 0.6, 0.1).census
    assert census.stalls == 2
    assert census.stalled_seconds == pytest.approx(3.5)
    assert [(record.levelno, record.__dict__["stalled_ms"]) for record in caplog.records] == [
        (logging.WARNING, 3000),
        (logging.WARNING, 500),
    ]
