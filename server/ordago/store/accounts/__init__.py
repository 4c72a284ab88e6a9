"""Accounts of a server, in SQL."""
