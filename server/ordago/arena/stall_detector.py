"""Detection of stalls: something blocks the thread of the matches, or a wait in another thread hangs."""

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import trio

from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import LONG_SECONDS, Telemetry
from ordago.telemetry.troubles import Trouble

_LOOK_SECONDS: Final = 1.0


@contextmanager
def watching(telemetry: Telemetry) -> Iterator[None]:
    """Report hanging waits and a blocked match thread within this context, from a separate thread."""
    ended = threading.Event()
    thread = threading.Thread(target=_look_until_ended, args=(telemetry, ended), name="ordago-watcher", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def _look_until_ended(telemetry: Telemetry, ended: threading.Event) -> None:
    while not ended.wait(_LOOK_SECONDS):
        telemetry.waits.look()
        look_at_thread_of_matches(telemetry, now=time.monotonic())


def look_at_thread_of_matches(telemetry: Telemetry, *, now: float) -> None:
    """Report a trouble while the event loop of the match thread has been blocked for ``LONG_SECONDS``.

    Args:
        telemetry: receives the trouble, and its end.
        now: the time, in seconds of ``time.monotonic``.
    """
    turned_at = telemetry.counters.turned_at
    late = now - turned_at
    if turned_at and late > LONG_SECONDS:
        telemetry.begins(Trouble.HELD_UP, f"the match thread has not responded for {late:.0f} s")
    else:
        telemetry.is_over(Trouble.HELD_UP)


_TURN_SECONDS: Final = 0.1
"""Interval of the task that measures stalls: ten times a second costs next to nothing."""
_NOTICEABLE_SECONDS: Final = 0.1
"""A longer delay of that task counts as a stall."""


@asynccontextmanager
async def stall_detector(telemetry: Telemetry, clock: RefereeClock) -> AsyncIterator[None]:
    """Report stalls of the matches within this context, and the time that the clock has lost."""
    with watching(telemetry):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, telemetry, clock)
            yield
            nursery.cancel_scope.cancel()


async def _watch(telemetry: Telemetry, clock: RefereeClock) -> None:
    """Wake up at a fixed interval until cancelled, and report each wake-up that is noticeably late."""
    due = trio.current_time()
    while True:
        telemetry.counters.turned_at = time.monotonic()
        telemetry.counters.lost_seconds = clock.lost
        due += _TURN_SECONDS
        await trio.sleep_until(due)
        late = trio.current_time() - due
        telemetry.loop_lag(late)
        if late > _NOTICEABLE_SECONDS:
            telemetry.stalled(late)
            due += late
