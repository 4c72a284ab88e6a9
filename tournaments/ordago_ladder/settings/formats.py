"""The formats of events by their names, and when an event begins and ends."""

from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, get_args

Format: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "open"]
"""Which tables of an event play."""
Partners: TypeAlias = Literal["one", "mixed"]
"""Whether partners are one entrant, or different ones."""

BY_ROUNDS: Final = ("swiss", "open")
"""The formats in which results decide who plays next."""


def format_of(written: object) -> object:
    """Return the name of a format.

    Raises:
        ValueError: it is none; the message says which there are.
    """
    if written not in get_args(Format):
        raise ValueError(f"'format' takes {', '.join(get_args(Format))}, not {written!r}")
    return written


def partners_of(written: object) -> object:
    """Return what partners are.

    Raises:
        ValueError: it is none of what they can be.
    """
    if written not in get_args(Partners):
        raise ValueError(f'\'partners\' takes "one" or "mixed", not {written!r}')
    return written


def until_of(written: object) -> datetime:
    """Return a time with its zone.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(written, datetime) or written.tzinfo is None:
        shown = written.isoformat() if isinstance(written, datetime) else repr(written)
        raise ValueError(f"'until' takes a time with its zone, for instance until = 2027-01-31T18:00:00Z, not {shown}")
    try:
        return written.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"'until' takes a time of the years 1 to 9999, not {written.isoformat()}") from None


def begins_of(written: object) -> datetime:
    """Return when an event begins.

    Raises:
        ValueError: it is no time that everybody understands alike.
    """
    if isinstance(written, datetime) and written.utcoffset() is not None:
        try:
            return written.astimezone(UTC)
        except OverflowError:
            raise ValueError(f"'begins' takes a time of the years 1 to 9999, not {written.isoformat()}") from None
    raise ValueError("'begins' takes a time with its distance from UTC, without quotes: 2026-11-22T18:00:00Z")
