"""The ratings of a season: a function of its results alone, epoch by epoch, in the order of their ledgers.

Nobody brings anything from the season before but anchors. Who has a result comes in with it; a version begins near the
one of its bot that came in before it.

Results count epoch by epoch. Where a match of an earlier epoch ends when the next has begun, its result is put in
before those of the later one: they are taken up anew, from where all epochs were revealed.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple

from ordago.record import Result
from ordago_ladder.standing.ratings import CareerResult, Careers, Player
from ordago_ladder.standing.seasons.standing import SeasonPlayer, SeasonStanding


class Bot(NamedTuple):
    """A version of a bot, as ledgers tell of it."""

    name: str
    version: str
    account: str
    house: bool


def career_result(game: str, players: Sequence[int], result: Result, *, ended: int) -> CareerResult:
    """Return what ratings want to know of a match that ended at a time."""
    forfeits = tuple(forfeit.seat for forfeit in result.forfeits)
    return CareerResult(game, tuple(players), result.placings, forfeits, ended)


class SeasonCareers:
    """The careers of a season, as far as its epochs were taken up. A deep copy goes on by itself."""

    def __init__(self, season: str, *, anchors: Mapping[str, float]) -> None:
        """Begin a season.

        Args:
            season: what it is called.
            anchors: the ratings of house bots that are known, by their names.
        """
        self._season = season
        self._careers = Careers(anchors=anchors)
        self._players: dict[int, SeasonPlayer] = {}
        self._newest: dict[tuple[str, str], int] = {}
        """The version of each bot that came in last, by name and account."""
        self._counts: dict[int, int] = {}

    def add(self, epoch: int, results: Sequence[CareerResult], bots: Mapping[int, Bot]) -> None:
        """Take up results of an epoch, in the order of its ledger, after those of earlier epochs.

        Raises:
            KeyError: one is of a player who is no bot.
        """
        self._counts[epoch] = self._counts.get(epoch, 0) + len(results)
        for result in results:
            for player in result.players:
                if player not in self._players:
                    self._come_in(player, bots[player])
        self._careers.add(results)

    def _come_in(self, player: int, bot: Bot) -> None:
        predecessor = self._newest.get((bot.name, bot.account))
        self._newest[bot.name, bot.account] = player
        self._players[player] = SeasonPlayer(*bot, predecessor)
        self._careers.enter([Player(player, bot.name, predecessor, bot.house)])

    def standing(self) -> SeasonStanding:
        """Return the standing by now."""
        epochs = tuple(sorted(self._counts.items()))
        return SeasonStanding(self._season, epochs, dict(self._players), self._careers.ratings())


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
