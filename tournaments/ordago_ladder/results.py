"""What the results of an event say of each two entrants."""

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ordago.store import MatchResult


class Pairing(NamedTuple):
    """What a match says of two of the entrants at its table."""

    game: str
    set_key: str
    first: str
    """The entrant whose side comes first at the table."""
    second: str
    first_side: int
    """The side of the first entrant at the table, from 0."""
    second_side: int
    half_points: int
    """What the first entrant gets of the two half points: 2 for a win, 1 for a tie, 0 for a loss."""
    rated: bool
    """Whether it counts for the ratings. It does not where somebody forfeited, except that who forfeited has lost to
    those who did not."""


def pairings(results: Iterable[MatchResult]) -> Iterator[Pairing]:
    """Yield what results say of each two entrants at a table."""
    for played in results:
        for first_side, second_side in itertools.combinations(range(len(played.sides)), 2):
            yield _pairing(played, first_side, second_side)


def _pairing(played: MatchResult, first_side: int, second_side: int) -> Pairing:
    first, second = played.sides[first_side], played.sides[second_side]
    gone = played.forfeit_of(first) is not None, played.forfeit_of(second) is not None
    decided_by_forfeit = gone[0] != gone[1]
    ranks = gone if decided_by_forfeit else (played.placing(first), played.placing(second))
    half_points = 1 + (ranks[0] < ranks[1]) - (ranks[0] > ranks[1])
    rated = decided_by_forfeit or not played.result.forfeits
    game, set_key = played.planned.game, played.planned.set_key
    return Pairing(game, set_key, first, second, first_side, second_side, half_points, rated)
