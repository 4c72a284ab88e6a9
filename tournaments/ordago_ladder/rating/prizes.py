"""Prizes: the entrant that has each place of a finished event alone, or those that share it.

A place ends where all down to it are known to be better than all that follow. Those between two such ends cannot be
told apart for certain, and share.
"""

from typing import Final, NamedTuple

from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.schedule.decisions import decided_after, decision_of
from ordago_ladder.settings.written_values import DRAWN

_ENOUGH: Final = 0.95
"""The likelihood of being better at which a place is given to one alone."""


class Prize(NamedTuple):
    """A place with the entrant that has it, or several with those that share them."""

    first: int
    """The first of the places, from 1."""
    last: int
    entrants: tuple[str, ...]
    """In the order of the ladder, or of points where these decide."""


def prizes_of(ladder: Ladder) -> tuple[Prize, ...]:
    """Return the prizes, for every place once; none before the end, and where the format itself decides each place.

    In a round robin with ``until_decided`` points decide, elsewhere ratings. Entrants without a match have no place.
    """
    if not ladder.finished or ladder.event.format in ("swiss", *DRAWN):
        return ()
    order, after = _by_points(ladder) if ladder.event.until_decided is not None else _by_ratings(ladder)
    ends = [place for place, decided in enumerate(after, start=1) if decided]
    return tuple(Prize(begin + 1, end, tuple(order[begin:end])) for begin, end in zip([0, *ends], ends, strict=False))


def _by_points(ladder: Ladder) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    gone = [entrant.name for entrant in ladder.entrants if entrant.suspended or entrant.withdrawn]
    return decision_of(ladder.settings, ladder.results, gone=gone)


def _by_ratings(ladder: Ladder) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    lines, likelihoods = ladder.overall.lines, ladder.overall.likelihoods
    rows = [row for row, line in enumerate(lines) if line.matches]
    return tuple(lines[row].entrant for row in rows), decided_after(
        len(rows), lambda one, other: (likelihoods[rows[one]][rows[other]] or 0) >= _ENOUGH
    )
