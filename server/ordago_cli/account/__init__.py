"""``ordago account``: who may come in, as whom and for what, at the server's own folder or over the wire."""
