"""Speaks a version of the contract that there never was."""

from wire import Wire

wire = Wire()
wire.greet(version=0)
list(wire.hear())
