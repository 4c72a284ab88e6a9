"""Gives good answers, but to the decisions of others."""

from wire import Wire, play

from ordago import v1


def decide(wire: Wire, decision: v1.Decision) -> None:
    wire.choose(decision.match_handle + 1_000, decision.number, decision.default_answer)
    wire.choose(decision.match_handle, decision.number + 1_000, decision.default_answer)
    wire.choose(0, 0, decision.default_answer)


play(decide)
