"""Rated tables: they seat bots, play matches and store the outcomes."""
