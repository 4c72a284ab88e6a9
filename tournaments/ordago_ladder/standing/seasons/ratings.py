"""The ratings of a season while it is played: those of epochs that are revealed, and those by now.

Results count epoch by epoch. Where a match of an earlier epoch ends when the next has begun, its result is put in
before those of the later one: they are taken up anew, from where all epochs were revealed.
"""

from collections.abc import Mapping
from copy import deepcopy

from ordago_ladder.standing.ratings import CareerResult
from ordago_ladder.standing.seasons.careers import Bot, SeasonCareers
from ordago_ladder.standing.seasons.standing import SeasonStanding


class SeasonRatings:
    """Rates a season as results come, in whatever order of their epochs."""

    def __init__(self, season: str, *, anchors: Mapping[str, float], bots: Mapping[int, Bot]) -> None:
        """Begin a season.

        Args:
            season: what it is called.
            anchors: the ratings of house bots that are known, by their names.
            bots: all players by their numbers, as far as they have come.
        """
        self._bots = bots
        self._settled = SeasonCareers(season, anchors=anchors)
        self._open: dict[int, list[CareerResult]] = {}
        """The results of the epochs that are not settled, in the order of their ledgers."""
        self._live: SeasonCareers | None = None
        """``None`` where what is taken up was not all in order."""

    def add(self, epoch: int, result: CareerResult) -> None:
        """Take up the next result of an epoch that is not settled."""
        self._open.setdefault(epoch, []).append(result)
        if epoch < max(self._open):
            self._live = None
        elif self._live is not None:
            self._live.add(epoch, [result], self._bots)

    def settle(self, epoch: int) -> None:
        """Say that an epoch is revealed, and all its results are there; those before it were settled before."""
        self._settled.add(epoch, self._open.pop(epoch, ()), self._bots)
        if self._live is not None:
            self._live.add(epoch, (), self._bots)

    def settled(self) -> SeasonStanding:
        """Return the standing by the epochs that are settled."""
        return self._settled.standing()

    def standing(self) -> SeasonStanding:
        """Return the standing by now."""
        if self._live is None:
            self._live = deepcopy(self._settled)
            for epoch, results in sorted(self._open.items()):
                self._live.add(epoch, results, self._bots)
        return self._live.standing()
