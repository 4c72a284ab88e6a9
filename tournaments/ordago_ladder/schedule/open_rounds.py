"""Open events: they go on until ratings are known well enough, and play the most informative tables."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.schedule.counts import games_in_order, set_counts, tables_in_round
from ordago_ladder.schedule.grouping import Costs
from ordago_ladder.schedule.meetings import Meetings, comparisons
from ordago_ladder.schedule.strengths import Strengths, numbered
from ordago_ladder.schedule.tables import Table
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

_MOST_AHEAD: Final = 3
"""An entrant this many sets of a game ahead of the one with fewest plays only if too few others are left."""
_STEPS: Final = 1 << 24
"""Information is rounded to this many steps, since costs are whole numbers."""


class OpenRounds:
    """The rounds of an open event. In each, about half of the entrants play every game once.

    The entrants with the most uncertain ratings play, and close opponents that have met seldom meet. Suspended entrants
    play only where too few others are left, and the event does not go on for them.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin before the first round."""
        self._settings = settings
        self._meetings = Meetings(settings)
        self._numbers = {name: number for number, name in enumerate(self._meetings.names)}
        self._strengths = Strengths(len(self._numbers))
        self._left = sum(set_counts(settings).values())
        self._suspensions = Suspensions(suspend_after=settings.event.suspend_after)
        self._active = np.ones(len(self._numbers), dtype=np.bool_)

    def next_round(self) -> list[Table]:
        """Return the tables of the next round, game by game; none when sets are used up or all intervals narrow."""
        wanted = self._settings.event.half_width
        if wanted is not None and self._half_width <= wanted:
            return []
        chosen: list[Table] = []
        for game in games_in_order(self._settings):
            chosen += self._tables(game, count=min(tables_in_round(self._settings, game), self._left))
        return chosen

    @property
    def _half_width(self) -> float:
        """Half the longest interval of the entrants that are not suspended, in Elo; 0 if fewer than two are left."""
        active = self._active
        return self._strengths.half_width(active) if np.count_nonzero(active) > 1 else 0.0

    def _tables(self, game: GameSettings, *, count: int) -> list[Table]:
        sets, variances = self._meetings.sets[game.name], self._strengths.variances
        active = self._active.tolist()
        free = min(itertools.compress(sets, active), default=0) + _MOST_AHEAD
        need = [
            (not plays, max(0, played - free + 1), -variance, number)
            for number, (plays, played, variance) in enumerate(zip(active, sets, variances.tolist(), strict=True))
        ]
        tables = self._meetings.seated(game, self._costs(), need, tables=count)
        self._meetings.add(tables)
        self._left -= count
        return tables

    def _costs(self) -> Costs:
        """Return the cost of each meeting: 0 for the most informative, up to ``_STEPS`` for one that tells nothing."""
        variances = self._strengths.variances
        learned = self._strengths.uncertainty * (variances[:, None] + variances) / (1 + self._meetings.met)
        costs: Costs = np.rint((1 - learned / learned.max()) * _STEPS).astype(np.int64)
        return costs

    def learn(self, played: Sequence[MatchResult]) -> None:
        """Update suspensions and strengths by the results of a round."""
        for result in played:
            for suspension in self._suspensions.count(result.planned.entrants, result.result):
                self._active[self._numbers[suspension.entrant]] = False
        sides = {game.name: game.sides for game in self._settings.games}
        self._strengths.learn(
            numbered(one, self._numbers, sides=len(set(sides[result.planned.game])))
            for result in played
            for one in comparisons(result, sides[result.planned.game])
        )
