"""Brackets: the tables of each stage of a knockout, and how many go on from each, by numbers alone.

A table has ``size`` entrants, of which ``advance`` go on. The bracket is *full* where no table of a stage is missing:
with tables of two these are the powers of two. The first stage brings the entrants to the next full number, so byes are
in the first stage only, as far as the numbers allow. Where fewer have to go out than a table would send out, more go on
from the last table of the stage.

In a double elimination the losers of the upper bracket play on in the lower one, and go out with their second loss. The
final is played by ``advance`` of the upper bracket and the rest from the lower one.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Stage(NamedTuple):
    """The tables that play at the same time: for each the number of its entrants that go on."""

    upper: tuple[int, ...]
    """The tables of the upper bracket; in a knockout and in finals, all tables."""
    lower: tuple[int, ...] = ()
    """The tables of the lower bracket."""


class BracketError(ValueError):
    """Numbers that make no bracket. The message is a part of a sentence."""


FINAL = Stage((1,))
"""The last stage: one table, with one winner."""


def stages_of(entrants: int, *, size: int, advance: int, double: bool) -> tuple[Stage, ...]:
    """Return the stages of a bracket; without the second final, which a double elimination may need.

    Args:
        entrants: the number of entrants, at least ``size``.
        size: the number of entrants at a table.
        advance: the number of them that go on, less than ``size``.
        double: true for a double elimination.

    Raises:
        BracketError: a table could never be filled.
    """
    return (*(_double(entrants, size, advance) if double else _single(entrants, size, advance)), FINAL)


def _single(entrants: int, size: int, advance: int) -> Iterator[Stage]:
    while entrants > size:
        tables = _tables(entrants, size, advance, out=entrants - _full_below(entrants, size, advance))
        yield Stage(tables)
        entrants -= _out(tables, size)


def _double(entrants: int, size: int, advance: int) -> Iterator[Stage]:
    upper, lower = entrants, 0
    while (upper, lower) != (advance, size - advance):
        goal = _full_below(upper, size, advance) if upper > size else advance
        above = _tables(upper, size, advance, out=upper - goal)
        below = _tables(lower, size, advance, out=lower + (upper - advance) - (size - advance))
        if not above and not below:
            raise BracketError(f"the lower bracket comes down to {lower} entrants, too few for a table of {size}")
        yield Stage(above, below)
        upper -= _out(above, size)
        lower += _out(above, size) - _out(below, size)


def _tables(entrants: int, size: int, advance: int, *, out: int) -> tuple[int, ...]:
    """Return as many tables as it takes to send out so many, as far as they can be filled."""
    each = size - advance
    tables = min(-(-out // each), entrants // size)
    if tables <= 0:
        return ()
    last = min(each, out - (tables - 1) * each)
    return (*(advance,) * (tables - 1), size - last)


def _out(tables: tuple[int, ...], size: int) -> int:
    return sum(size - on for on in tables)


def _full_below(entrants: int, size: int, advance: int) -> int:
    """Return the greatest full number below a number of entrants, which is greater than ``size``."""
    full = size
    while (after := full // advance * size + full % advance) < entrants:
        full = after
    return full
