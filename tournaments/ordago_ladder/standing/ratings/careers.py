"""Ratings of all players of a standing ladder over time, updated result by result."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, TypeAlias

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings.history import Priors
from ordago_ladder.standing.ratings.scale import ScaleCareers
from ordago_ladder.standing.ratings.values import Assumptions, CareerResult, Counted, Player, StandingRatings

MOST_NEW: Final = 7
"""The most new versions of a bot in a slice that are players of their own; further ones count as the last of these.

Without this limit a bot could slow all ratings down with a new version for each match.
"""


class Versions:
    """Assignment of versions to the players for which their results count."""

    def __init__(self, players: Mapping[int, Player]) -> None:
        """Begin with no versions.

        Args:
            players: all players by their numbers. The caller adds new ones before their results.
        """
        self._players = players
        self._counted_as: dict[int, int] = {}
        self._newest: dict[str, int] = {}
        self._new: Counter[str] = Counter()

    def begin_slice(self) -> None:
        """Allow each bot ``MOST_NEW`` new versions again."""
        self._new.clear()

    def counted(self, result: CareerResult) -> CareerResult:
        """Return a result with the players for which it counts, and make them the current versions of their bots."""
        players = tuple(self._counted(player) for player in result.players)
        return result._replace(players=players)

    def is_current(self, player: int) -> bool:
        """Return True if no other version of its bot has played since."""
        return self._newest[self._players[player].name] == player

    def _counted(self, player: int) -> int:
        name = self._players[player].name
        if player not in self._counted_as:
            self._new[name] += 1
            self._counted_as[player] = self._newest[name] if self._new[name] > MOST_NEW else player
        self._newest[name] = self._counted_as[player]
        return self._newest[name]


FREE: Final = 30
"""The meetings of two players in a slice that count in any case."""
SHARE: Final = 0.5
"""Further meetings count while they are fewer than this share of those that each of the two had with others.

That bounds the points that one account can give to another by losing to it.
"""

Pair: TypeAlias = tuple[int, int]
"""The numbers of two players, ascending."""


class CoPlayers:
    """Counters of the meetings of each pair of players in the open slice."""

    def __init__(self, players: Mapping[int, Player]) -> None:
        """Begin with no meetings.

        Args:
            players: all players by their numbers. The caller adds new ones before their results.
        """
        self._players = players
        self._meetings: Counter[Pair] = Counter()
        self._all: Counter[int] = Counter()

    def too_much(self, result: CareerResult) -> frozenset[Pair]:
        """Count a match, and return the pairs of its players that had met too often before."""
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


class Careers:
    """Live ratings of a standing ladder.

    They depend on the players and on the results in their order alone: the number of results in a call and the times of
    calls to ``ratings`` change nothing. A deep copy is independent.
    """

    def __init__(self, *, anchors: Mapping[str, float] | None = None, assumptions: Assumptions | None = None) -> None:
        """Begin without players and results.

        Args:
            anchors: the known ratings of house bots in Elo, by name.
            assumptions: the model of how strengths change over time.
        """
        self._assumptions = assumptions or Assumptions()
        self._players: dict[int, Player] = {}
        strengths = {name: (elo - ANCHOR) / ELO for name, elo in sorted((anchors or {}).items())}
        self._priors = Priors(self._assumptions, self._players, strengths)
        self._overall = ScaleCareers(self._priors)
        self._games: dict[str, ScaleCareers] = {}
        self._co_players = CoPlayers(self._players)
        self._versions = Versions(self._players)
        self._results = 0
        self._slice: int | None = None

    def enter(self, players: Iterable[Player]) -> None:
        """Enter players. Each has to come before its first result and after its predecessor."""
        self._players.update((player.player, player) for player in players)

    def add(self, results: Iterable[CareerResult]) -> None:
        """Add results, in the order in which they were committed.

        Raises:
            KeyError: a player has not been entered.
        """
        for committed in results:
            self._reach(committed.ended // self._assumptions.slice_seconds)
            result = self._versions.counted(committed)
            counted = Counted(result, self._co_players.too_much(result))
            for scale in (self._overall, self._game(result.game)):
                scale.add(counted)
            self._results += 1

    def ratings(self) -> StandingRatings:
        """Return the current ratings."""
        return StandingRatings(
            results=self._results,
            overall=self._overall.scale(is_current=self._versions.is_current),
            games=tuple(
                (game, scale.scale(is_current=self._versions.is_current)) for game, scale in sorted(self._games.items())
            ),
        )

    def _reach(self, slice_number: int) -> None:
        """Close the open slice if a later one is reached. If the clock was set back, the open slice lasts longer."""
        if self._slice is None:
            self._slice = slice_number
        if slice_number > self._slice:
            ended = (self._slice + 1) * self._assumptions.slice_seconds
            for scale in (self._overall, *self._games.values()):
                scale.close(slice_number - self._slice, ended=ended)
            self._co_players = CoPlayers(self._players)
            self._versions.begin_slice()
            self._slice = slice_number

    def _game(self, game: str) -> ScaleCareers:
        if game not in self._games:
            self._games[game] = ScaleCareers(self._priors)
        return self._games[game]
