"""Matches as browsers show them: scenes, and whole replays, as JSON."""
