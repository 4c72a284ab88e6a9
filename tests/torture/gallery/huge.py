"""Sends a message of 5 MB instead of its first answer."""

from wire import play

from ordago import v1

play(lambda wire, decision: wire.choose(decision.match_handle, decision.number, v1.Answer(cards=[1] * 5_000_000)))
