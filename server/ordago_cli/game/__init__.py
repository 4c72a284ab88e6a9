"""The skeleton of a game: High Card of ``server/template`` under another name, which can be played as it is."""
