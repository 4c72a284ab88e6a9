"""Verification of a published ladder from its folder alone."""
