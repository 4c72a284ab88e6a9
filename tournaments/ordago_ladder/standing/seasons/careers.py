"""The ratings of a season: a function of its results alone, epoch by epoch, in the order of their ledgers.

Only anchors keep their ratings from the season before. A player enters with its first result; a new version begins near
the version of the same bot that entered before it.

A match of an earlier epoch may end after the next epoch has begun. Its result then belongs before those of the later
epoch, so all open epochs are rated again, beginning after the revealed ones.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple

from ordago.record import Result
from ordago_ladder.standing.ratings import CareerResult, Careers, Player
from ordago_ladder.standing.seasons.standing import SeasonPlayer, SeasonStanding


class Bot(NamedTuple):
    """A version of a bot, as ledgers identify it."""

    name: str
    version: str
    account: str
    house: bool


def career_result(
    game: str, players: Sequence[int], result: Result, *, ended: int, unrated: bool = False
) -> CareerResult:
    """Return the result of a match as the ratings use it. ``ended`` is in seconds since 1970."""
    forfeits = tuple(forfeit.seat for forfeit in result.forfeits)
    return CareerResult(game, tuple(players), result.placings, forfeits, ended, unrated)


class SeasonCareers:
    """Ratings of a season, fed epoch by epoch. A deep copy is independent."""

    def __init__(self, season: str, *, anchors: Mapping[str, float]) -> None:
        """Begin a season.

        Args:
            season: its name.
            anchors: the known ratings of house bots in Elo, by name.
        """
        self._season = season
        self._careers = Careers(anchors=anchors)
        self._players: dict[int, SeasonPlayer] = {}
        self._newest: dict[tuple[str, str], int] = {}
        """The version of each bot that entered last, by name and account."""
        self._counts: dict[int, int] = {}

    def add(self, epoch: int, results: Sequence[CareerResult], bots: Mapping[int, Bot]) -> None:
        """Add results of an epoch, in the order of its ledger, after those of earlier epochs.

        Results of unrated matches are counted, so that the count tells where in the ledger the standing ends, and
        change nothing else.

        Raises:
            KeyError: a player is not among the bots.
        """
        self._counts[epoch] = self._counts.get(epoch, 0) + len(results)
        rated = [result for result in results if not result.unrated]
        for result in rated:
            for player in result.players:
                if player not in self._players:
                    self._come_in(player, bots[player])
        self._careers.add(rated)

    def _come_in(self, player: int, bot: Bot) -> None:
        predecessor = self._newest.get((bot.name, bot.account))
        self._newest[bot.name, bot.account] = player
        self._players[player] = SeasonPlayer(*bot, predecessor)
        self._careers.enter([Player(player, bot.name, predecessor, bot.house)])

    def standing(self) -> SeasonStanding:
        """Return the current standing."""
        epochs = tuple(sorted(self._counts.items()))
        return SeasonStanding(self._season, epochs, dict(self._players), self._careers.ratings())


class SeasonRatings:
    """Live ratings of a season. Results of different epochs may come in any order."""

    def __init__(self, season: str, *, anchors: Mapping[str, float], bots: Mapping[int, Bot]) -> None:
        """Begin a season.

        Args:
            season: its name.
            anchors: the known ratings of house bots in Elo, by name.
            bots: all players by their numbers. The caller adds new ones before their results.
        """
        self._bots = bots
        self._settled = SeasonCareers(season, anchors=anchors)
        self._open: dict[int, list[CareerResult]] = {}
        """The results of each epoch that is not settled, in the order of its ledger."""
        self._live: SeasonCareers | None = None
        """Ratings with all open results; ``None`` if a result came out of order, so that they have to be made again."""

    def add(self, epoch: int, result: CareerResult) -> None:
        """Add the next result of an epoch that is not settled."""
        self._open.setdefault(epoch, []).append(result)
        if epoch < max(self._open):
            self._live = None
        elif self._live is not None:
            self._live.add(epoch, [result], self._bots)

    def settle(self, epoch: int) -> None:
        """Note that an epoch is revealed and all of its results were added. Call it in the order of epochs."""
        self._settled.add(epoch, self._open.pop(epoch, ()), self._bots)
        if self._live is not None:
            self._live.add(epoch, (), self._bots)

    def settled(self) -> SeasonStanding:
        """Return the standing after the settled epochs."""
        return self._settled.standing()

    def standing(self) -> SeasonStanding:
        """Return the current standing, with the results of open epochs."""
        if self._live is None:
            self._live = deepcopy(self._settled)
            for epoch, results in sorted(self._open.items()):
                self._live.add(epoch, results, self._bots)
        return self._live.standing()
