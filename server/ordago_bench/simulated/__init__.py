"""Simulated events, careers and comparisons of known strengths, to check estimates against."""
