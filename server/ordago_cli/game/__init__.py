"""The skeleton of a game: High Card from ``server/template`` under another name, playable as it is."""
