"""Who has sat with whom in a slice of time, and who so often that it says no more.

Two accounts of one author may give points to each other. So among the meetings of two players in a slice no more count
than half of those that either had with others, but thirty always do. House bots give nothing away: theirs all count.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final, TypeAlias

from ordago_ladder.standing.careers.rows import CareerResult, Player

FREE: Final = 30
SHARE: Final = 0.5

Pair: TypeAlias = tuple[int, int]
"""Two players, ascending."""


class Company:
    """The meetings of an open slice."""

    def __init__(self, players: Mapping[int, Player]) -> None:
        """Begin with none.

        Args:
            players: all players by their numbers, as far as they have come.
        """
        self._players = players
        self._meetings: Counter[Pair] = Counter()
        self._all: Counter[int] = Counter()

    def too_much(self, result: CareerResult) -> frozenset[Pair]:
        """Count a match, and return who of its players had met too often before."""
        players = sorted(set(result.players))
        met = list(combinations(players, 2))
        found = frozenset(pair for pair in met if self._meetings[pair] >= FREE and self._is_too_much(pair))
        for pair in met:
            self._meetings[pair] += 1
        for player in players:
            self._all[player] += len(players) - 1
        return found

    def _is_too_much(self, pair: Pair) -> bool:
        if any(self._players[player].house for player in pair):
            return False
        times = self._meetings[pair]
        return times >= SHARE * (min(self._all[player] for player in pair) - times)
