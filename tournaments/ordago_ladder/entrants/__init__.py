"""The bots of an event: building, starting and isolating them, and remote entrants."""
