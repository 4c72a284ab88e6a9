"""Hosted events: events that a running server plays in addition to its tables."""
