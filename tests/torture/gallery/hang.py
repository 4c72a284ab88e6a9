"""Plays well at first, and then never answers again."""

import time

from wire import Wire, play

from ordago import v1

_LAST = 3


def decide(wire: Wire, decision: v1.Decision) -> None:
    if decision.number == _LAST:
        time.sleep(3600)
    wire.answer(decision)


play(decide)
