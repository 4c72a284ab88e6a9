"""``ordago bot``: the beginning of a bot in any of the languages that have an SDK."""
