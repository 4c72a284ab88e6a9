"""Verification of published records and whole events, from an untrusted folder alone.

This module imports nothing: worker processes import only what verifies a record, and what verifies a whole event
takes five times as long to import.
"""
