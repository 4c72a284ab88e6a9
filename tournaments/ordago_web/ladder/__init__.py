"""The pages of a standing ladder: who stands where, bots and their authors, matches, epochs and seasons."""
