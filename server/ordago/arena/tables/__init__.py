"""Tables that bots are seated at: casual tables, and the base of all kinds."""
