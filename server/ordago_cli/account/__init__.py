"""``ordago account``: accounts and their roles, in the server's own folder or over the network."""
