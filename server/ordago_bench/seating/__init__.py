"""Simulated ladders, to compare ways of seating those who wait."""
