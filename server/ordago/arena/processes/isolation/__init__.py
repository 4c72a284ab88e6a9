"""Sandboxes for bots: the files and resources that their processes may use, and the ways to enforce it."""
