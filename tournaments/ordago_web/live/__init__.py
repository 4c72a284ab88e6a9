"""Live views of running matches: one stream from the server for each match, however many watch it."""
