"""Ratings and the ladder: pure functions of results."""
