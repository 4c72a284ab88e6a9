"""What became of the matches of an event, and what that says of each two entrants."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ordago.record import FaultCount, SeatForfeit


class MatchResult(NamedTuple):
    """The result of a match."""

    row: int
    """The place in the schedule, from 0."""
    match_id: str
    """The name of the match for ever, in hexadecimal."""
    game: str
    """The short name of the game."""
    set_key: str
    """The duplicate set that the match belongs to."""
    seating: int
    """The number of the seating among those of the set, from 0."""
    entrants: tuple[str, ...]
    """The entrant of each seat."""
    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side, from 1."""
    faults: tuple[tuple[FaultCount, ...], ...]
    """The faults of each seat, ascending by their short names."""
    forfeits: tuple[SeatForfeit, ...]
    """The seats that forfeited the match, ascending."""
    attempt: int = 0
    """How often the match was begun anew, since the server failed in it."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The entrants at the table, each once, in the order of their first seats."""
        return tuple(dict.fromkeys(self.entrants))

    def placing(self, entrant: str) -> int:
        """Return the placing of an entrant."""
        return self.placings[self.entrants.index(entrant)]

    def score(self, entrant: str) -> int:
        """Return the score of an entrant."""
        return self.scores[self.entrants.index(entrant)]

    def forfeit_of(self, entrant: str) -> str | None:
        """Return the fault that an entrant forfeited the match for, with any of his seats; ``None`` if he did not."""
        return forfeiters(self.entrants, self.forfeits).get(entrant)

    def forfeited(self, entrant: str) -> bool:
        """Say whether an entrant forfeited. A partner of another entrant does not forfeit with him."""
        return self.forfeit_of(entrant) is not None


def forfeiters(entrants: Sequence[str], forfeits: Iterable[SeatForfeit]) -> dict[str, str]:
    """Return who of the entrants at some seats forfeited, each with the fault of his first seat that was forfeited."""
    faults: dict[str, str] = {}
    for seat, fault in forfeits:
        faults.setdefault(entrants[seat], fault)
    return faults


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
    for result in results:
        for first_side, second_side in itertools.combinations(range(len(result.sides)), 2):
            yield _pairing(result, first_side, second_side)


def _pairing(result: MatchResult, first_side: int, second_side: int) -> Pairing:
    first, second = result.sides[first_side], result.sides[second_side]
    gone = result.forfeited(first), result.forfeited(second)
    decided_by_forfeit = gone[0] != gone[1]
    ranks = gone if decided_by_forfeit else (result.placing(first), result.placing(second))
    half_points = 1 + (ranks[0] < ranks[1]) - (ranks[0] > ranks[1])
    rated = decided_by_forfeit or not result.forfeits
    return Pairing(result.game, result.set_key, first, second, first_side, second_side, half_points, rated)
