"""Pages on which an organiser opens events at a server, follows and ends them, as ``ordago event`` does."""
