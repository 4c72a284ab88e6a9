"""Exits between its hello and the welcome."""

import os

from wire import Wire

wire = Wire()
wire.greet()
os._exit(1)
