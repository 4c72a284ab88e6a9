"""Comes in, and never reads what it is sent."""

import time

from wire import Wire

wire = Wire()
wire.greet()
time.sleep(3600)
