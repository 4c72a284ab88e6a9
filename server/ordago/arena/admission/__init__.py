"""Admission of bots, from a new connection to a session: authentication, limits and resumption."""
