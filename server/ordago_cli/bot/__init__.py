"""``ordago bot``: bot projects in the languages that have an SDK."""
