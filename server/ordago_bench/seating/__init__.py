"""Simulated ladders, to compare methods of matchmaking."""
