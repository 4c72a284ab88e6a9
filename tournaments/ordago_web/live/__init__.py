"""Matches that are watched while they are played: one stream from the server each, however many look on."""
