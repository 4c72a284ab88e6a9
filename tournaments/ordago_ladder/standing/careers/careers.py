"""Ratings over time of everybody on a standing ladder, carried on from result to result."""

from collections.abc import Iterable, Mapping

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.careers.company import Company
from ordago_ladder.standing.careers.history import Premises
from ordago_ladder.standing.careers.ratings import StandingRatings
from ordago_ladder.standing.careers.rows import Assumptions, CareerResult, Counted, Player
from ordago_ladder.standing.careers.scale import ScaleCareers
from ordago_ladder.standing.careers.versions import Versions


class Careers:
    """The ratings of a standing ladder, as its committed results come.

    They are a function of the players and of the results in their order: it does not matter how many results come at a
    time, nor when ratings are asked for. A deep copy goes on by itself from where it was made.
    """

    def __init__(self, *, anchors: Mapping[str, float] | None = None, assumptions: Assumptions | None = None) -> None:
        """Begin without players and results.

        Args:
            anchors: the ratings of house bots that are known, by their names.
            assumptions: what is assumed of how strengths change.
        """
        self._assumptions = assumptions or Assumptions()
        self._players: dict[int, Player] = {}
        strengths = {name: (elo - ANCHOR) / ELO for name, elo in sorted((anchors or {}).items())}
        self._premises = Premises(self._assumptions, self._players, strengths)
        self._overall = ScaleCareers(self._premises)
        self._games: dict[str, ScaleCareers] = {}
        self._company = Company(self._players)
        self._versions = Versions(self._players)
        self._results = 0
        self._slice: int | None = None

    def enter(self, players: Iterable[Player]) -> None:
        """Take up players, each before his first result and after his predecessor."""
        self._players.update((player.player, player) for player in players)

    def add(self, results: Iterable[CareerResult]) -> None:
        """Take up results, in the order in which they were committed.

        Raises:
            KeyError: one is of a player who has not been entered.
        """
        for committed in results:
            self._reach(committed.ended // self._assumptions.slice_seconds)
            result = self._versions.counted(committed)
            counted = Counted(result, self._company.too_much(result))
            for scale in (self._overall, self._game(result.game)):
                scale.add(counted)
            self._results += 1

    def ratings(self) -> StandingRatings:
        """Return the ratings by now."""
        return StandingRatings(
            results=self._results,
            overall=self._overall.scale(is_current=self._versions.is_current),
            games=tuple(
                (game, scale.scale(is_current=self._versions.is_current)) for game, scale in sorted(self._games.items())
            ),
        )

    def _reach(self, slice_number: int) -> None:
        """Go on to a slice. None comes back: where the clock was set back, the open slice lasts longer."""
        if self._slice is None:
            self._slice = slice_number
        if slice_number > self._slice:
            ended = (self._slice + 1) * self._assumptions.slice_seconds
            for scale in (self._overall, *self._games.values()):
                scale.close(slice_number - self._slice, ended=ended)
            self._company = Company(self._players)
            self._versions.begin_slice()
            self._slice = slice_number

    def _game(self, game: str) -> ScaleCareers:
        if game not in self._games:
            self._games[game] = ScaleCareers(self._premises)
        return self._games[game]
