"""Connections, bot sessions, bot processes, tables and running matches of a server."""

import logging

# A library does not log by itself: without a handler of the program, records go nowhere instead of to stderr.
logging.getLogger("ordago").addHandler(logging.NullHandler())
