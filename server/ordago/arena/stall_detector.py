"""Notices that the server is held up: that whoever has its thread does not give it back."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import trio

from ordago.arena.clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.watcher import watching

_TURN_SECONDS: Final = 0.1
"""How often it looks: ten times a second cost next to nothing."""
_NOTICEABLE_SECONDS: Final = 0.1
"""What is later than this is a stall."""


@asynccontextmanager
async def stall_detector(telemetry: Telemetry, clock: RefereeClock) -> AsyncIterator[None]:
    """Tell of what holds up the matches in this context, and of the time that a clock says was lost."""
    with watching(telemetry):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, telemetry, clock)
            yield
            nursery.cancel_scope.cancel()


async def _watch(telemetry: Telemetry, clock: RefereeClock) -> None:
    """Watch until cancelled, and tell of each turn that came noticeably late."""
    due = trio.current_time()
    while True:
        telemetry.counters.turned_at = time.monotonic()
        telemetry.counters.lost_seconds = clock.lost
        due += _TURN_SECONDS
        await trio.sleep_until(due)
        late = trio.current_time() - due
        if late > _NOTICEABLE_SECONDS:
            telemetry.stalled(late)
            due += late
