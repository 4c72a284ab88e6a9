"""Plays well, and says a thousand things more at each decision that nobody asked for."""

from wire import Wire, play

from ordago import v1

_MESSAGES = 1_000


def decide(wire: Wire, decision: v1.Decision) -> None:
    for number in range(_MESSAGES):
        wire.choose(decision.match_handle, 1_000_000 + number, v1.Answer(legal_action=1))
    wire.answer(decision)


play(decide)
