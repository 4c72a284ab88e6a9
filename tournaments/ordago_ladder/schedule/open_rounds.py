"""Open events: they go on until ratings are known well enough, and play the most informative tables."""

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordago.store import MatchResult
from ordago_ladder.schedule.counts import games_in_order, set_counts
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

    The entrants with the most uncertain ratings play, and close opponents that have met seldom meet. The event does not
    go on for those who were suspended or withdrew.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin before the first round."""
        self._settings = settings
        self._meetings = Meetings(settings)
        self._numbers = {name: number for number, name in enumerate(self._meetings.names)}
        self._strengths = Strengths(len(self._numbers))
        self._left = sum(set_counts(settings).values())

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of the next round, game by game; none when sets are used up or all intervals narrow."""
        self._meetings.gone = gone
        wanted = self._settings.event.half_width
        if wanted is not None and self._half_width <= wanted:
            return []
        chosen: list[Table] = []
        for game in games_in_order(self._settings):
            chosen += self._tables(game, count=min((self._meetings.room(game) + 1) // 2, self._left))
        return chosen

    def enter(self, tables: Sequence[Table]) -> None:
        """Take over a round that was played before the event changed."""
        self._meetings.add(tables)
        self._left -= len(tables)

    @property
    def _half_width(self) -> float:
        """Half the longest interval of the entrants that still play, in Elo; 0 if fewer than two are left."""
        active = self._active
        return self._strengths.half_width(active) if np.count_nonzero(active) > 1 else 0.0

    @property
    def _active(self) -> NDArray[np.bool_]:
        return np.array([name not in self._meetings.gone for name in self._meetings.names])

    def _tables(self, game: GameSettings, *, count: int) -> list[Table]:
        sets, variances = self._meetings.sets[game.name], self._strengths.variances
        free = min(itertools.compress(sets, self._active.tolist()), default=0) + _MOST_AHEAD
        need = [
            (max(0, played - free + 1), -variance, number)
            for number, (played, variance) in enumerate(zip(sets, variances.tolist(), strict=True))
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

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:  # noqa: ARG002 - brackets need it
        """Update strengths by the results of a round."""
        sides = {game.name: game.sides for game in self._settings.games}
        self._strengths.learn(
            numbered(one, self._numbers, sides=len(set(sides[result.planned.game])))
            for result in played
            for one in comparisons(result, sides[result.planned.game])
        )
