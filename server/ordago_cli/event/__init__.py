"""``ordago event``: events beside the tables of a running server, opened and followed over the wire."""
