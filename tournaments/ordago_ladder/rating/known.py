"""The part of a rating that may be said: a number with its interval, a bound, or nothing, with the reason.

A number that nobody believes ("1827 ± 1479") says less than none. Files, pages and terminals all show this value.
"""

from enum import StrEnum
from typing import Final, NamedTuple

MOST_SAID: Final = 400.0
"""Half the length of the longest interval that is shown with its number, in Elo.

400 points more win ten of eleven pairings, so a longer one holds hopeless and superior alike. At tables of two it
is reached after some five sets, at tables of four after two.
"""


class Note(StrEnum):
    """A remark in place of a number, as files have it."""

    NUMBER = ""
    AT_LEAST = "at least"
    """Only the lower end of the interval is known: it won everything."""
    AT_MOST = "at most"
    """Only the upper end of the interval is known: it lost everything."""
    WON_ALL = "won all, too few matches"
    LOST_ALL = "lost all, too few matches"
    TOO_FEW = "too few matches"
    APART = "not compared with the others"
    FORFEITED = "only forfeits"


class Known(NamedTuple):
    """A rating as it is said. Ends that are not known are ``None``."""

    note: Note
    elo: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def half_length(self) -> float | None:
        """Half the length of the interval; ``None`` without a number."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def is_known(self) -> bool:
        """True if there is a number or a bound."""
        return any(end is not None for end in self[1:])

    def against(self, other: "Known", likelihood: float | None) -> float | None:
        """Return the likelihood of being better than the other as it is said: ``None`` unless both are known."""
        return likelihood if self.is_known and other.is_known else None


def known(elo: float, low: float, high: float, *, most: float = MOST_SAID) -> Known:
    """Return a rating with its interval as it is said: without a number if the interval reaches ``most``."""
    if high - low >= 2 * most:
        return Known(Note.TOO_FEW)
    return Known(Note.NUMBER, elo, low, high)


def noted(note: Note, elo: float, low: float, high: float) -> Known:
    """Return a rating with its interval, as far as its note allows."""
    if note is Note.NUMBER:
        return Known(note, elo, low, high)
    return Known(note, low=low if note is Note.AT_LEAST else None, high=high if note is Note.AT_MOST else None)


def bound(low: float, high: float, *, score: float, middle: float, only: bool) -> Known:
    """Return the side from which a rating is known whose interval is too long for a number.

    Args:
        low: the lower end of the interval.
        high: the upper end of the interval.
        score: the share that it won of its rated pairings, from 0 to 1.
        middle: the mean of the field. A lower end below that says nothing, nor does an upper end above.
        only: True if no other entrant has this score: two cannot both be above all.
    """
    if score == 1 and low >= middle:
        return Known(Note.AT_LEAST, low=low)
    if score == 0 and high <= middle:
        return Known(Note.AT_MOST, high=high)
    if only and score in {0, 1}:
        return Known(Note.WON_ALL if score else Note.LOST_ALL)
    return Known(Note.TOO_FEW)
