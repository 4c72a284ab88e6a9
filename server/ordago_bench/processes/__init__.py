"""Processes that a measurement starts: servers, their peers, bots, and fixed workloads."""
