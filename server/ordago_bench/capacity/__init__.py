"""Measurement of what one server of a ladder bears, and a table of sizes computed from it."""
