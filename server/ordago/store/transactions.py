"""What the kinds of databases have to know of transactions."""

from typing import Final

WRITES: Final = "ordago_writes"
"""The option of a connection whose transactions write: they come one after the other."""
