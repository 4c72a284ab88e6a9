"""Matches of people against house bots, played in a browser."""
