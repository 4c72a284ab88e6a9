"""Exits between its hello and the welcome."""

import os

from wire import Wire

Wire().greet()
os._exit(1)
