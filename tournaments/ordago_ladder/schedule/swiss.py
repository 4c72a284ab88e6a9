"""Swiss events: every round pairs entrants with similar points that have not met before."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from ordago.store import MatchResult
from ordago_ladder.schedule.counts import games_in_order
from ordago_ladder.schedule.grouping import Costs
from ordago_ladder.schedule.meetings import Meetings
from ordago_ladder.schedule.shares import shares_of
from ordago_ladder.schedule.tables import Table
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

BYE: Final = Fraction(1, 2)
"""The points for a round without a set: as much as for half of the opponents beaten."""
_SCORE_STEPS: Final = 60
"""Scores are compared in steps of 1/60 of a set, since costs are whole numbers."""
_FARTHEST: Final = 1 << 15
"""The greatest difference of scores, in steps; greater ones count as this."""
_MEETING: Final = 1 << 44
"""The cost of a repeated meeting: more than all differences of scores of a round together."""


class Swiss:
    """The rounds of a Swiss event. In each, every entrant plays every game once, as far as the tables come out even.

    Beating all opponents of a set is worth one point; a tie counts half. A bye goes to the entrant with the fewest
    points among those with the fewest byes. An entrant that joins late has a bye for each round that it missed.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin before the first round."""
        self._settings = settings
        self._meetings = Meetings(settings)
        self._left = settings.event.rounds or 0
        self._points = dict.fromkeys(self._meetings.names, Fraction(0))
        self._byes = dict.fromkeys(self._meetings.names, 0)

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of the next round, game by game."""
        if not self._left:
            return []
        self._left -= 1
        self._meetings.gone = gone
        points = dict(self._points)
        return [table for game in games_in_order(self._settings) for table in self._tables(game, points)]

    def enter(self, tables: Sequence[Table]) -> None:
        """Take over a round that was played before the event changed."""
        self._left -= 1
        for game in games_in_order(self._settings):
            self._sit([table for table in dict.fromkeys(tables) if table.game == game.name])

    def _tables(self, game: GameSettings, points: dict[str, Fraction]) -> list[Table]:
        """Return the tables of a game, and give a bye to each entrant without a table."""
        need = [(-self._byes[name], -points[name], number) for number, name in enumerate(self._meetings.names)]
        costs = self._costs([points[name] for name in self._meetings.names])
        count = self._meetings.room(game)
        tables = self._meetings.seated(game, costs, need, tables=count, trials=self._meetings.trials)
        self._sit(tables)
        return [table for table in tables for _ in range(self._settings.event.repetitions)]

    def _sit(self, tables: Sequence[Table]) -> None:
        """Count the meetings at the tables of a game, and the byes of all others."""
        self._meetings.add(tables)
        for name in set(self._points).difference(*(table.entrants for table in tables)):
            self._byes[name] += 1
            self._points[name] += BYE

    def _costs(self, points: Sequence[Fraction]) -> Costs:
        steps = np.array([int(point * _SCORE_STEPS) for point in points], dtype=np.int64)
        apart = np.minimum(abs(steps[:, None] - steps), _FARTHEST)
        met = self._meetings.met
        again: Costs = met - met[~np.eye(len(points), dtype=np.bool_)].min()
        costs: Costs = again * _MEETING + apart * apart
        return costs

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:  # noqa: ARG002 - brackets need it
        """Count the points of a round."""
        for share in shares_of(played, self._settings):
            self._points[share.entrant] += share.points
