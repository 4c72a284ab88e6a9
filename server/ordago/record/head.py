"""The head of a ledger, which commits to all of its lines."""

from typing import Final, NamedTuple


class Head(NamedTuple):
    """The length and head of a ledger."""

    length: int
    """The number of its lines."""
    digest: bytes
    """The SHA-256 of the last, 32 bytes."""


NO_LINES: Final = Head(0, bytes(32))
"""The head of a ledger that has no lines yet."""
