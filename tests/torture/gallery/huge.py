"""Sends a message of 5 MB instead of its first answer."""

from wire import play

_HUGE = bytes(5_000_000)

play(lambda wire, _decision: wire.say_bytes(_HUGE))
