"""Matches for browsers: scenes and whole replays as JSON."""
