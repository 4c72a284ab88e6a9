"""Answers to questions about a ladder."""
