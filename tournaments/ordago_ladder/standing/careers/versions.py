"""The versions of each bot: which of them are told apart, and which is the current one.

What is known of players takes room by the square of their number. So nobody can bring as many as he likes: a bot has
seven new versions in a slice, one a day, and whatever comes beyond them counts for the last of these, for ever.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from ordago_ladder.standing.careers.rows import CareerResult, Player

MOST_NEW: Final = 7


class Versions:
    """The versions that have played."""

    def __init__(self, players: Mapping[int, Player]) -> None:
        """Begin before anybody has played.

        Args:
            players: all players by their numbers, as far as they have come.
        """
        self._players = players
        self._counted_as: dict[int, int] = {}
        self._newest: dict[str, int] = {}
        self._new: Counter[str] = Counter()

    def begin_slice(self) -> None:
        """Let each bot have new versions again."""
        self._new.clear()

    def counted(self, result: CareerResult) -> CareerResult:
        """Return a result with the players for whom it counts, who are now the current versions of their bots."""
        players = tuple(self._counted(player) for player in result.players)
        return result._replace(players=players)

    def is_current(self, player: int) -> bool:
        """Say whether no other version of its bot has played since."""
        return self._newest[self._players[player].name] == player

    def _counted(self, player: int) -> int:
        name = self._players[player].name
        if player not in self._counted_as:
            self._new[name] += 1
            self._counted_as[player] = self._newest[name] if self._new[name] > MOST_NEW else player
        self._newest[name] = self._counted_as[player]
        return self._newest[name]
