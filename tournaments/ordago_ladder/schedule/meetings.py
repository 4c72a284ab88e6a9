"""Who has met whom so far, and the tables at which those meet next who have met least."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.schedule.grouping import Costs, Need, Pool, group
from ordago_ladder.schedule.tables import Table, entrant_names, newcomers, seating_count, table_of
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

_ALL_GAMES = 4
"""How much more a meeting in any game counts than that it was in the same game."""

_TRIALS = 300
"""How often a small field is put together otherwise, to see whether that is better; a large one as much less often."""


class Meetings:
    """The meetings of the entrants of an event, set by set, in all games together and in each."""

    def __init__(self, settings: Settings) -> None:
        """Begin before the first set."""
        self.names = entrant_names(settings)
        self.trials = _TRIALS // len(self.names)
        """How often a better way to put the entrants to tables is sought by chance."""
        self._numbers = {name: number for number, name in enumerate(self.names)}
        new = [self._numbers[name] for name in newcomers(settings)]
        self._parts = (new, [number for number in range(len(self.names)) if number not in new])
        square = (len(self.names), len(self.names))
        self.met: Costs = np.zeros(square, dtype=np.int64)
        """In how many sets two have met."""
        self._met_in: dict[str, Costs] = {game.name: np.zeros(square, dtype=np.int64) for game in settings.games}
        self.sets = {game.name: [0] * len(self.names) for game in settings.games}
        """How many sets of a game each has played."""
        self.matches = [0] * len(self.names)
        """How many matches each has played."""

    def add(self, tables: Sequence[Table]) -> None:
        """Note that tables have played a set."""
        for table in tables:
            members = [self._numbers[name] for name in table.entrants]
            pairs = np.ix_(members, members)
            self.met[pairs] += 1
            self._met_in[table.game][pairs] += 1
            for member in members:
                self.sets[table.game][member] += 1
                self.matches[member] += seating_count(len(members))

    def fresh(self, game: GameSettings, *, tables: int) -> list[Table]:
        """Return some tables of a game for those who have played it least, of entrants who have met least."""
        need = list(zip(self.sets[game.name], self.matches, strict=True))
        return self.seated(
            game, _ALL_GAMES * self.met**2 + self._met_in[game.name], need, tables=tables, trials=self.trials
        )

    def seated(self, game: GameSettings, costs: Costs, need: Need, *, tables: int, trials: int = 0) -> list[Table]:
        """Return some tables of a game, whose entrants are chosen as ``group`` says."""
        groups = group(costs, need, pools=self._pools(game), tables=tables, trials=trials)
        return [table_of(game, tuple(self.names[member] for member in members)) for members in groups]

    def _pools(self, game: GameSettings) -> list[Pool]:
        new, field = self._parts
        if not new:
            return [Pool(tuple(field), game.table_size)]
        return [Pool(tuple(new), 1), Pool(tuple(field), game.table_size - 1)]


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
