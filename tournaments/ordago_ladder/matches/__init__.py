"""Matches of an event that are due, and their terms."""
