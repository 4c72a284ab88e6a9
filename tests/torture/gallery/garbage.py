"""Comes in, and talks garbage from the first decision on."""

import os

from wire import play

play(lambda wire, _decision: wire.say_bytes(b"\xff" + os.urandom(1000)))
