"""Counts of meetings between entrants, and tables for those that have met least."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.schedule.grouping import Costs, Need, Pool, group
from ordago_ladder.schedule.tables import Table, entrant_names, newcomers, seating_count, table_of
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

_ALL_GAMES = 4
"""The weight of meetings in all games together, against 1 for those in the same game."""

_TRIALS = 300
"""Random exchanges tried for a grouping, divided by the number of entrants: each costs more with more of them."""


class Meetings:
    """The meetings of the entrants of an event, set by set, in all games together and in each."""

    def __init__(self, settings: Settings) -> None:
        """Begin before the first set."""
        self.names = entrant_names(settings)
        self.gone: frozenset[str] = frozenset()
        """The entrants that do not play any more."""
        self.trials = _TRIALS // len(self.names)
        """The number of random exchanges that ``group`` tries."""
        self._numbers = {name: number for number, name in enumerate(self.names)}
        new = [self._numbers[name] for name in newcomers(settings)]
        self._parts = (new, [number for number in range(len(self.names)) if number not in new])
        square = (len(self.names), len(self.names))
        self.met: Costs = np.zeros(square, dtype=np.int64)
        """The number of sets in which each pair of entrants have met; on the diagonal, those of one entrant."""
        self._met_in: dict[str, Costs] = {game.name: np.zeros(square, dtype=np.int64) for game in settings.games}
        self.sets = {game.name: [0] * len(self.names) for game in settings.games}
        """The number of sets of each game that each entrant has played."""
        self.matches = [0] * len(self.names)
        """The number of matches that each entrant has played."""

    @property
    def present(self) -> list[str]:
        """The entrants that still play, ascending."""
        return [name for name in self.names if name not in self.gone]

    def room(self, game: GameSettings) -> int:
        """Return the number of tables of a game at which those who still play can sit at once."""
        return len(self.present) // game.table_size

    def add(self, tables: Sequence[Table]) -> None:
        """Count a set for each of these tables."""
        for table in tables:
            members = [self._numbers[name] for name in table.entrants]
            pairs = np.ix_(members, members)
            self.met[pairs] += 1
            self._met_in[table.game][pairs] += 1
            for member in members:
                self.sets[table.game][member] += 1
                self.matches[member] += seating_count(len(members))

    def fresh(self, game: GameSettings, *, tables: int) -> list[Table]:
        """Return this many tables of a game, of entrants that have played it least and have met least."""
        need = list(zip(self.sets[game.name], self.matches, strict=True))
        return self.seated(
            game, _ALL_GAMES * self.met**2 + self._met_in[game.name], need, tables=tables, trials=self.trials
        )

    def seated(self, game: GameSettings, costs: Costs, need: Need, *, tables: int, trials: int = 0) -> list[Table]:
        """Return this many tables of a game, with entrants chosen by ``group``."""
        groups = group(costs, need, pools=self._pools(game), tables=tables, trials=trials)
        return [table_of(game, tuple(self.names[member] for member in members)) for members in groups]

    def _pools(self, game: GameSettings) -> list[Pool]:
        new, field = ([one for one in part if self.names[one] not in self.gone] for part in self._parts)
        if not new:
            return [Pool(tuple(field), game.table_size)]
        return [Pool(tuple(new), 1), Pool(tuple(field), game.table_size - 1)]


class Comparison(NamedTuple):
    """The outcome of a match between two opponents at its table."""

    first: str
    second: str
    half_points: int
    """The half points of the first against the second: 2 for a win, 1 for a tie, 0 for a loss."""


def comparisons(played: MatchResult, sides: Sequence[int]) -> Iterator[Comparison]:
    """Yield the outcome of a match for each pair of entrants of different sides, each pair once.

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
