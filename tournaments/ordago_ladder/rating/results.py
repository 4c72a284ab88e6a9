"""Pairings: the outcomes of matches for each pair of sides at a table."""

import itertools
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ordago.games import find_game
from ordago.store import MatchResult

Side: TypeAlias = tuple[str, ...]
"""The entrants that play together, each once, ascending."""


class Kind(NamedTuple):
    """A kind of pairing: two sides of entrants, with their sides at the table."""

    game: str
    first: Side
    """The entrants of the side that comes first at the table."""
    second: Side
    first_side: int
    """The side of the first at the table, from 0."""
    second_side: int

    @property
    def seats(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """The game with the side of the first, and with that of the second."""
        return (self.game, self.first_side), (self.game, self.second_side)


class Pairing(NamedTuple):
    """The outcome of a match for two sides at its table, or for parts of them, split by forfeit."""

    kind: Kind
    """The kind, one shared object in most pairings of a kind: there may be millions."""
    set_key: str
    half_points: int
    """The half points of the first: 2 for a win, 1 for a tie, 0 for a loss."""
    rated: bool
    """True if it counts for the ratings. With a forfeit at the table only one thing counts: the loss of entrants that
    forfeited to those of other sides that did not. A partner of one that forfeited has neither won nor lost."""


class _Meeting(NamedTuple):
    """Two sides that meet at a table."""

    kind: Kind
    first_seat: int
    """The first seat of the first side."""
    second_seat: int
    """The first seat of the second side."""


def pairings(results: Iterable[MatchResult]) -> Iterator[Pairing]:
    """Yield the pairings of each pair of sides at the table of each match."""
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
    """Return the meetings at a table. It is cached, since large events repeat the same seatings many times."""
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
"""Cached ``Kind``: tables of more than two share kinds with tables that differ only in a third entrant."""


def _split(found: Pairing, gone: Collection[str]) -> Iterator[Pairing]:
    """Split a pairing at a table with a forfeit: entrants that forfeited apart from those that did not."""
    for (first, first_gone), (second, second_gone) in itertools.product(
        _parts(found.kind.first, gone), _parts(found.kind.second, gone)
    ):
        part = found._replace(kind=found.kind._replace(first=first, second=second))
        yield part if first_gone == second_gone else part._replace(half_points=2 * second_gone, rated=True)


def _parts(side: Side, gone: Collection[str]) -> list[tuple[Side, bool]]:
    """Return the entrants of a side that did not forfeit, then those that did, each with this flag; none empty."""
    split = [(tuple(name for name in side if (name in gone) == forfeited), forfeited) for forfeited in (False, True)]
    return [(part, forfeited) for part, forfeited in split if part]
