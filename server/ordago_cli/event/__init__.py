"""``ordago event``: events on a running server, opened and followed over the network."""
