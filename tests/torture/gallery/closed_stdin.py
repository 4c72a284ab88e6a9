"""Plays well, but closes its standard input, and does not end when it should."""

import os
import time

from wire import play

os.close(0)
play(lambda wire, decision: wire.answer(decision))
time.sleep(3600)
