"""Processes that a measurement starts: servers, echoes, and bots."""
