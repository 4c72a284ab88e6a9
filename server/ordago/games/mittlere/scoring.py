"""The value of a deal: card points first, then the gains of the seats."""

from collections.abc import Sequence
from typing import Final

from ordago.games.mittlere.pack import POINTS
from ordago.games.mittlere.values import SEATS, TRICKS, ScoringRule

LAST_TRICK_POINTS: Final = 5
HUNDRED: Final = 100


def points_of(played: list[int], takers: list[int], *, trump: int) -> tuple[int, ...]:
    """Return the card points of each seat.

    Args:
        played: the cards of the twelve tricks in the order of play, three a trick.
        takers: the seat that took each trick.
        trump: the trump suit known after the last trick, or ``NO_TRUMP``.
    """
    count = POINTS[trump]
    points = [0] * SEATS
    for at, card in enumerate(played):
        points[takers[at // SEATS]] += count[card]
    points[takers[-1]] += LAST_TRICK_POINTS
    return tuple(points)


def scores_of(points: Sequence[int], takers: Sequence[int]) -> tuple[tuple[int, ...], ScoringRule]:
    """Return the gain of each seat in a deal, and the rule that decided it."""
    tricks = [takers.count(seat) for seat in range(SEATS)]
    if TRICKS in tricks:
        return _apart(tricks.index(TRICKS), gains=2), ScoringRule.ALL_TRICKS
    if 0 in tricks:
        return _apart(tricks.index(0), gains=-2), ScoringRule.NO_TRICK
    if max(points) >= HUNDRED:
        return _apart(points.index(max(points)), gains=-2), ScoringRule.HUNDRED
    if len(set(points)) < SEATS:
        return (0,) * SEATS, ScoringRule.EQUAL
    return _apart(points.index(sorted(points)[1]), gains=-2), ScoringRule.MIDDLE


def _apart(seat: int, *, gains: int) -> tuple[int, ...]:
    """Return the gains of all seats when one seat gains this number, at the equal cost or benefit of the two others."""
    return tuple(gains if other == seat else -gains // 2 for other in range(SEATS))
