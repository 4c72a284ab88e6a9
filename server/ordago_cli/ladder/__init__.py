"""Commands for the standing ladder of a server."""
