"""What the results of an event say of each two sides at a table."""

import itertools
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ordago.games import find_game
from ordago.store import MatchResult

Side: TypeAlias = tuple[str, ...]
"""The entrants who play together, each once, ascending."""


class Kind(NamedTuple):
    """A kind of pairing: who meets whom, and where at the table."""

    game: str
    first: Side
    """Who plays for the side that comes first at the table."""
    second: Side
    first_side: int
    """The side of the first at the table, from 0."""
    second_side: int

    @property
    def seats(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """The game with the side of the first, and with that of the second."""
        return (self.game, self.first_side), (self.game, self.second_side)


class Pairing(NamedTuple):
    """What a match says of two of the sides at its table, or of those of them who did not forfeit, or who did."""

    kind: Kind
    """What is the same in many pairings is one object in most of them: there may be millions."""
    set_key: str
    half_points: int
    """What the first get of the two half points: 2 for a win, 1 for a tie, 0 for a loss."""
    rated: bool
    """Whether it counts for the ratings. It does not where somebody forfeited, except that who forfeited has lost to
    those of other sides who did not. A partner of who forfeited has neither won nor lost."""


class _Meeting(NamedTuple):
    """Two sides who meet at a table."""

    kind: Kind
    first_seat: int
    """The first seat of the first side,"""
    second_seat: int
    """and that of the second."""


def pairings(results: Iterable[MatchResult]) -> Iterator[Pairing]:
    """Yield what results say of each two sides at a table."""
    for (planned, _, _), result in results:
        meetings = _meetings(planned.game, planned.entrants)
        gone = {planned.entrants[seat] for seat, _ in result.forfeits}
        for kind, first_seat, second_seat in meetings:
            one, other = result.placings[first_seat], result.placings[second_seat]
            half_points = 1 + (one < other) - (one > other)
            found = Pairing(kind, planned.set_key, half_points, rated=not gone)
            yield from _split(found, gone) if gone else (found,)


@lru_cache(maxsize=1 << 16)
def _meetings(game: str, entrants: tuple[str, ...]) -> tuple[_Meeting, ...]:
    """Return who meets at a table. Large events have many matches of the same."""
    sides = find_game(game).rules.sides(len(entrants))
    seats = {side: sides.index(side) for side in dict.fromkeys(sides)}
    parties = {
        side: tuple(sorted({name for name, played in zip(entrants, sides, strict=True) if played == side}))
        for side in seats
    }
    return tuple(
        _Meeting(_kind(game, parties[first], parties[second], first, second), seats[first], seats[second])
        for first, second in itertools.combinations(seats, 2)
    )


_kind: Final = lru_cache(maxsize=1 << 16)(Kind)
"""Tables of more than two have the same kinds of pairings as others, where only a third sits elsewhere."""


def _split(found: Pairing, gone: Collection[str]) -> Iterator[Pairing]:
    """Yield what a pairing is where somebody at the table forfeited: those who did apart from those who did not."""
    for (first, first_gone), (second, second_gone) in itertools.product(
        _parts(found.kind.first, gone), _parts(found.kind.second, gone)
    ):
        part = found._replace(kind=found.kind._replace(first=first, second=second))
        yield part if first_gone == second_gone else part._replace(half_points=2 * second_gone, rated=True)


def _parts(side: Side, gone: Collection[str]) -> list[tuple[Side, bool]]:
    """Return those of a side who did not forfeit, and those who did, as far as there are any."""
    split = [(tuple(name for name in side if (name in gone) == forfeited), forfeited) for forfeited in (False, True)]
    return [(part, forfeited) for part, forfeited in split if part]
