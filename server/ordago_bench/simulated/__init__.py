"""Simulated events, careers and comparisons, whose truth is known, to hold estimates against."""
