"""A server that is held up notices it."""

import logging

import pytest
from support.clocks import run_in_virtual_time
from trio.testing import MockClock, wait_all_tasks_blocked

from ordago.arena.referee_clock import RefereeClock
from ordago.arena.stall_detector import stall_detector
from ordago.telemetry.telemetry import Telemetry


def stalls_when(*jumps: float) -> Telemetry:
    """Return what is told when the clock jumps like this, with a beat between two jumps."""
    telemetry, clock, referee = Telemetry(), MockClock(), RefereeClock()
    referee.lost = 0.25

    async def run() -> None:
        async with stall_detector(telemetry, referee):
            for jump in jumps:
                await wait_all_tasks_blocked()
                clock.jump(jump)
            await wait_all_tasks_blocked()

    run_in_virtual_time(run, clock=clock)
    return telemetry


def test_a_server_that_is_not_held_up_tells_nothing() -> None:
    counters = stalls_when(*[0.1] * 50).counters
    assert (counters.stalls, counters.stalled_seconds) == (0, 0)
    assert counters.loop_lag_us.bins[0] == counters.loop_lag_us.count > 40
    assert counters.turned_at > 0
    assert counters.lost_seconds == 0.25


def test_what_is_lost_is_counted_and_told(caplog: pytest.LogCaptureFixture) -> None:
    counters = stalls_when(0.1, 3.1, 0.1, 0.1, 0.6, 0.1).counters
    assert counters.stalls == 2
    assert counters.stalled_seconds == pytest.approx(3.5)
    assert counters.loop_lag_us.total == pytest.approx(3.5e6)
    assert [(record.levelno, record.__dict__["stalled_ms"]) for record in caplog.records] == [
        (logging.WARNING, 3000),
        (logging.WARNING, 500),
    ]
