"""What the results of an event say of each two sides at a table."""

import itertools
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ordago.games import find_game
from ordago.record import SeatForfeit
from ordago.store import MatchResult

Side: TypeAlias = tuple[str, ...]
"""The entrants who play together, each once, ascending."""


class Pairing(NamedTuple):
    """What a match says of two of the sides at its table, or of those of them who did not forfeit, or who did."""

    game: str
    set_key: str
    first: Side
    """Who plays for the side that comes first at the table."""
    second: Side
    first_side: int
    """The side of the first at the table, from 0."""
    second_side: int
    half_points: int
    """What the first get of the two half points: 2 for a win, 1 for a tie, 0 for a loss."""
    rated: bool
    """Whether it counts for the ratings. It does not where somebody forfeited, except that who forfeited has lost to
    those of other sides who did not. A partner of who forfeited has neither won nor lost."""


class _Verdict(NamedTuple):
    """A pairing as far as it does not depend on its set."""

    first: Side
    second: Side
    first_side: int
    second_side: int
    half_points: int
    rated: bool


def pairings(results: Iterable[MatchResult]) -> Iterator[Pairing]:
    """Yield what results say of each two sides at a table."""
    for (planned, _, _), result in results:
        for verdict in _verdicts(planned.game, planned.entrants, result.placings, result.forfeits):
            yield Pairing(planned.game, planned.set_key, *verdict)


@lru_cache(maxsize=1 << 16)
def _verdicts(
    game: str, entrants: tuple[str, ...], placings: tuple[int, ...], forfeits: tuple[SeatForfeit, ...]
) -> tuple[_Verdict, ...]:
    """Return what a match says. Large events have many that say the same."""
    sides = find_game(game).rules.sides(len(entrants))
    gone = {entrants[seat] for seat, _ in forfeits}
    found = []
    for first_side, second_side in itertools.combinations(dict.fromkeys(sides), 2):
        ranks = placings[sides.index(first_side)], placings[sides.index(second_side)]
        parts = (_parts(entrants, sides, side, gone) for side in (first_side, second_side))
        for (first, first_gone), (second, second_gone) in itertools.product(*parts):
            decided = first_gone != second_gone
            one, other = (first_gone, second_gone) if decided else ranks
            half_points = 1 + (one < other) - (one > other)
            found.append(_Verdict(first, second, first_side, second_side, half_points, decided or not gone))
    return tuple(found)


def _parts(
    entrants: tuple[str, ...], sides: tuple[int, ...], side: int, gone: Collection[str]
) -> list[tuple[Side, bool]]:
    """Return those of a side who did not forfeit, and those who did, as far as there are any."""
    names = sorted({name for name, played in zip(entrants, sides, strict=True) if played == side})
    split = [(tuple(name for name in names if (name in gone) == forfeited), forfeited) for forfeited in (False, True)]
    return [(part, forfeited) for part, forfeited in split if part]
