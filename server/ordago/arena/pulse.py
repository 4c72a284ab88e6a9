"""Notices that the server is held up: that whoever has its thread does not give it back."""

import time
from typing import Final

import trio

from ordago.arena.chronicle import Chronicle

_BEAT_SECONDS: Final = 0.1
_NOTICEABLE_SECONDS: Final = 0.1
"""What is later than this is a stall."""


async def watch_pulse(chronicle: Chronicle) -> None:
    """Beat until cancelled, and tell of each beat that came noticeably late."""
    due = trio.current_time()
    while True:
        chronicle.census.turned_at = time.monotonic()
        due += _BEAT_SECONDS
        await trio.sleep_until(due)
        late = trio.current_time() - due
        if late > _NOTICEABLE_SECONDS:
            chronicle.stalled(late)
            due += late
