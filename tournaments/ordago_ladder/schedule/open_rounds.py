"""Open events: they go on until the order is known well enough, and play the tables that tell most about it."""

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

_MOST_TIMES: Final = 3
_MOST_AHEAD: Final = 3
"""An entrant with more than three times the sets of a game of the one with fewest, and three more, plays only if too
few others are left. So nobody is left out for good, and nobody gets many more matches by staying close to another."""
_OFTEN: Final = 2
"""A pair that has met in this many sets more than half of those that either played tells less and less, so that two
cannot go on between themselves."""
_STEPS: Final = 1 << 24
"""Gains are rounded to this many steps, since costs are whole numbers."""


class OpenRounds:
    """The rounds of an open event. In each, tables for about half of the entrants play every game once.

    The tables play that tell most about the order of neighbours in the ladder, so an entrant that is clearly above one
    neighbour and below the other plays seldom. Entrants that were suspended or withdrew do not count.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin before the first round."""
        self._settings = settings
        self._meetings = Meetings(settings)
        self._numbers = {name: number for number, name in enumerate(self._meetings.names)}
        self._strengths = Strengths(len(self._numbers))
        self._left = sum(set_counts(settings).values())

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of the next round, game by game; none when sets are used up or the order is known."""
        self._meetings.gone = gone
        wanted, active = self._settings.event.half_width, self._active
        if wanted is not None and self._strengths.half_width(active) <= wanted:
            return []
        self._gains, self._met_before = self._strengths.gains(active), self._meetings.met.copy()
        chosen: list[Table] = []
        for game in games_in_order(self._settings):
            chosen += self._tables(game, count=min((self._meetings.room(game) + 1) // 2, self._left))
        return chosen

    def enter(self, tables: Sequence[Table]) -> None:
        """Take over a round that was played before the event changed."""
        self._meetings.add(tables)
        self._left -= len(tables)

    @property
    def _active(self) -> NDArray[np.bool_]:
        return np.array([name not in self._meetings.gone for name in self._meetings.names])

    def _tables(self, game: GameSettings, *, count: int) -> list[Table]:
        sets = self._meetings.sets[game.name]
        fewest = min(itertools.compress(sets, self._active.tolist()), default=0)
        need = [(max(0, played - _MOST_TIMES * fewest - _MOST_AHEAD + 1),) for played in sets]
        tables = self._meetings.seated(game, self._costs(), need, tables=count)
        self._meetings.add(tables)
        self._left -= count
        return tables

    def _costs(self) -> Costs:
        """Return the cost of each meeting: 0 for the one that tells most, up to ``_STEPS`` for one that tells nothing.

        A pair that meets again in the same round, in another game, counts less, since its first match may tell enough.
        """
        met = self._meetings.met
        own = met.diagonal()
        too_often = np.maximum(0, 2 * met - np.minimum(own[:, None], own) - _OFTEN)
        gains = self._gains / (1 + too_often + (met - self._met_before))
        np.fill_diagonal(gains, 0.0)
        costs: Costs = np.rint((1 - gains / (gains.max() or 1.0)) * _STEPS).astype(np.int64)
        return costs

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:  # noqa: ARG002 - brackets need it
        """Update strengths by the results of a round."""
        sides = {game.name: game.sides for game in self._settings.games}
        self._strengths.learn(
            numbered(one, self._numbers, sides=len(set(sides[result.planned.game])))
            for result in played
            for one in comparisons(result, sides[result.planned.game])
        )
