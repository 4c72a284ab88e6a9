"""Answers to queries about a ladder."""
