"""How properties are tried: the same examples each time, however busy the machine is."""

from hypothesis import settings

repeatably = settings(deadline=None, derandomize=True, database=None)
"""Decorates a property, above ``given``."""
