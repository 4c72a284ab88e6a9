"""Matches of an event: which are due, and under which terms."""
