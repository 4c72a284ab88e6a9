"""The pages of a standing ladder: standings, bots and their authors, matches, epochs and seasons."""
