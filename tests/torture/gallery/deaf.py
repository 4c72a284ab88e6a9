"""Comes in, and never reads what it is sent."""

import time

from wire import Wire

Wire().greet()
time.sleep(3600)
