"""The classification of an incoming choice, before the rules of the game are consulted."""

from enum import Enum, unique
from typing import Final


@unique
class Verdict(Enum):
    """The decision that a choice is about."""

    OPEN = "open"
    """The open one: the rules of the game judge the answer."""
    PENDING = "pending"
    """The open one again, while the first answer to it is being judged."""
    REPEATED = "repeated"
    """One that was closed by the same answer: its acceptance is sent again."""
    LATE = "late"
    """One that was closed in another way."""
    UNKNOWN = "unknown"
    """One that was never asked, or in a match that the bot does not play."""


# Each choice is compared with these, and attribute access on an enumeration is slow in a compiled build.
OPEN: Final = Verdict.OPEN
PENDING: Final = Verdict.PENDING
REPEATED: Final = Verdict.REPEATED
LATE: Final = Verdict.LATE
UNKNOWN: Final = Verdict.UNKNOWN
