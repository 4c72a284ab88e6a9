"""Events that go by rounds: who plays in one depends on the results of those before it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.sets import SetMaker
from ordago_ladder.schedule.tables import Table
from ordago_ladder.settings.settings import Settings


class Rounds(Protocol):
    """Who plays in the rounds of an event."""

    def next_round(self) -> list[Table]:
        """Return the tables of the next round in order; none if the event is over."""

    def learn(self, played: Sequence[MatchResult]) -> None:
        """Take the results of the whole round that was returned last, in the order of its matches."""


class Plan(NamedTuple):
    """What is known of the schedule of an event."""

    matches: tuple[PlannedMatch, ...]
    """The matches that are due, those that were played among them, in the order of their rows."""
    complete: bool
    """Whether no more will come."""


class RoundSchedule:
    """The schedule of an event that goes by rounds, as it grows with the results."""

    def __init__(self, settings: Settings, rounds: Rounds) -> None:
        """Begin before the first round."""
        self._rounds = rounds
        self._maker = SetMaker(settings)
        self._known: list[PlannedMatch] = []
        self._open: list[PlannedMatch] = []
        self._begin_round()

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return all rounds that are known by the results so far: a round follows when the one before it is played."""
        played = {result.planned: result for result in results}
        while self._open and all(match in played for match in self._open):
            self._rounds.learn([played[match] for match in self._open])
            self._begin_round()
        return Plan(tuple(self._known), complete=not self._open)

    def _begin_round(self) -> None:
        self._open = self._maker.matches(self._rounds.next_round())
        self._known += self._open


class Comparison(NamedTuple):
    """What a match says of two opponents at its table."""

    first: str
    second: str
    half_points: int
    """What the first took from the second: 2 for a win, 1 for a tie, 0 for a loss."""


def comparisons(played: MatchResult, sides: Sequence[int]) -> Iterator[Comparison]:
    """Yield what a match says of each two entrants who do not play for the same side, each pair once.

    Args:
        played: the match.
        sides: the side that each seat plays for.
    """
    seats = {name: seat for seat, name in reversed(list(enumerate(played.planned.entrants)))}
    placings = played.result.placings
    names = sorted(seats)
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            if sides[seats[first]] != sides[seats[second]]:
                mine, other = placings[seats[first]], placings[seats[second]]
                yield Comparison(first, second, 1 + (mine < other) - (mine > other))
