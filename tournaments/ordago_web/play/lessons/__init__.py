"""Lessons for people who have never seen a game: a match that plays itself, with explanations and some choices."""
