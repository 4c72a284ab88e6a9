"""Answers nothing but what is illegal."""

from wire import play

from ordago import v1

play(lambda wire, decision: wire.choose(decision.match_handle, decision.number, v1.Answer(legal_action=999)))
