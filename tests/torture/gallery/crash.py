"""Plays well, and crashes in the middle of each match."""

import os

from wire import Wire, play

from ordago import v1

_LAST = 3


def decide(wire: Wire, decision: v1.Decision) -> None:
    if decision.number == _LAST:
        os.abort()
    wire.answer(decision)


play(decide)
