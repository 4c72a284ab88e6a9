"""What a server makes of a choice before any rule of the game is asked."""

from enum import Enum, unique
from typing import Final


@unique
class Verdict(Enum):
    """Which decision a choice is about."""

    OPEN = "open"
    """The open one: it is to be judged by the rules."""
    PENDING = "pending"
    """The open one again, while the first answer to it is being judged: it says nothing new."""
    REPEATED = "repeated"
    """One that was closed by the very same answer: the bot is told again that it was accepted."""
    LATE = "late"
    """One that was closed in another way."""
    UNKNOWN = "unknown"
    """One that was never asked, or of a match that the bot does not play."""


# Each choice is held against these, and to look a member up in its enumeration is dear where Ordago is compiled.
OPEN: Final = Verdict.OPEN
PENDING: Final = Verdict.PENDING
REPEATED: Final = Verdict.REPEATED
LATE: Final = Verdict.LATE
UNKNOWN: Final = Verdict.UNKNOWN
