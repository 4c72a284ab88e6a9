"""Proof of what a ladder published, from the folder alone."""
