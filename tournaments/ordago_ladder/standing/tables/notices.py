"""Notices to bots that wait for a match: their ranks, and why they cannot be seated."""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.pages.figures import rating_text
from ordago_ladder.rating.known import known
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings import StandingRating, StandingRatings
from ordago_ladder.standing.seating import KnownStrength, Pool
from ordago_ladder.standing.tables.repository import LadderRepository, Sitter

_UNKNOWN: Final = KnownStrength(ANCHOR, 400.0)
"""The strength of an unknown player: so wide an interval that it may be among the weakest or the strongest."""


class Standings:
    """Lookup of the ratings of all players."""

    def __init__(self, repository: LadderRepository, anchors: dict[str, float]) -> None:
        """Begin with no ratings but the known ones of house bots, in Elo, by name."""
        self._repository = repository
        self._anchors = anchors
        self._games: dict[str, dict[int, StandingRating]] = {}
        self._overall: dict[int, tuple[int, StandingRating]] = {}

    def take(self, ratings: StandingRatings) -> None:
        """Replace the ratings."""
        self._games = {game: {one.player: one for one in scale.ratings} for game, scale in ratings.games}
        self._overall = {one.player: (rank, one) for rank, one in enumerate(ratings.overall.ratings, start=1)}

    def strength(self, game: str, sitter: Sitter) -> KnownStrength:
        """Return the known strength of a player at a game; an unrated version has that of its predecessor."""
        if sitter.house and sitter.name in self._anchors:
            return KnownStrength(self._anchors[sitter.name], 0.0)
        rated = self._games.get(game, {})
        known = next((rated[player] for player in self._repository.versions_of(sitter) if player in rated), None)
        return KnownStrength(known.elo, known.half_length) if known is not None else _UNKNOWN

    def place(self, sitter: Sitter) -> tuple[int, StandingRating] | None:
        """Return the rank of a player over all games, from 1, with its rating; ``None`` if it has none."""
        player = self._repository.player_of(sitter)
        return None if player is None else self._overall.get(player)

    def __len__(self) -> int:
        return len(self._overall)


_LEAST_SECONDS: Final = 10.0
"""The shortest time between two notices to a bot: authors read no faster."""


class Notices:
    """Sender of rank notices."""

    def __init__(self, standings: Standings, *, season: str) -> None:
        """Prepare to send ranks. ``season`` is the name of the season, which may be empty."""
        self._standings = standings
        self._season = f" in the season {season!r}" if season else ""
        self._notified: WeakKeyDictionary[Bot, tuple[int, float]] = WeakKeyDictionary()
        """The number of matches and the time of the last notice to each bot."""

    def tell(self, bot: Bot, sitter: Sitter) -> None:
        """Send a bot its rank, if it has new rated matches and the last notice is not too recent."""
        place, now = self._standings.place(sitter), trio.current_time()
        if place is None or not bot.connected:
            return
        rank, rating = place
        matches, at = self._notified.get(bot, (0, -_LEAST_SECONDS))
        if rating.matches > matches and now >= at + _LEAST_SECONDS:
            self._notified[bot] = rating.matches, now
            said = known(rating.elo, rating.low, rating.high)
            provisional = ", which is provisional" if rating.provisional and said.elo is not None else ""
            sentence = (
                f"{sitter.name!r} has rank {rank} of {len(self._standings)}{self._season} after {rating.matches} "
                f"matches: {rating_text(said)}{provisional}"
            )
            bot.channel.send(
                v1.EventNotice(
                    stage=v1.EVENT_STAGE_PLAYING,
                    entrant=sitter.name,
                    sentence=sentence,
                    matches_begun=rating.matches,
                    rank=rank,
                )
            )


def _waits_by_game(since: Mapping[Bot, float], games: Sequence[str]) -> Mapping[str, Sequence[float]]:
    """Return how long bots have waited for a match, in seconds, by game. Safe in any thread.

    Args:
        since: the bots that wait, and since when, by ``time.monotonic``. It may change meanwhile.
        games: the games of the ladder.
    """
    now, waiting = time.monotonic(), dict(since).items()
    return {game: [now - begun for bot, begun in waiting if game in bot.identity.games] for game in games}


_LOOK_SECONDS: Final = 10.0
"""The time between two looks: thousands of bots may wait, and authors read no faster."""
_LONG_SECONDS: Final = 30.0
"""The wait after which a bot is notified. A shorter one may only last until a match ends."""


class UnseatedBots:
    """Sender of notices to bots that have waited for long."""

    def __init__(self, telemetry: Telemetry, *, waiting: Mapping[Bot, float], games: Sequence[str]) -> None:
        """Begin with no notices sent, and let telemetry read who waits for which of these games, and since when."""
        self._telemetry = telemetry
        telemetry.counters.ladder.waits = partial(_waits_by_game, waiting, games)
        self._next_look = 0.0
        self._notified: WeakKeyDictionary[Bot, str] = WeakKeyDictionary()
        """The last reason that was sent to each bot."""

    def look(self, pool: Pool) -> None:
        """Notify each bot that cannot be seated of a new reason, and report their number. Early calls do nothing."""
        now = trio.current_time()
        is_over = self._telemetry.counters.unseated and next(pool.unseated(now), None) is None
        if now < self._next_look and not is_over:
            return
        self._next_look = now + _LOOK_SECONDS
        number, why = 0, ""
        for waiting, waited_seconds, why_not in pool.unseated(now):
            if waited_seconds >= _LONG_SECONDS and isinstance(waiting.key, Bot):
                number, why = number + 1, why or why_not
                self._tell(waiting.key, waiting.name, why_not)
        self._telemetry.unseated(number, why)

    def _tell(self, bot: Bot, name: str, why: str) -> None:
        if self._notified.get(bot) != why:
            self._notified[bot] = why
            sentence = f"{name!r} waits for opponents: {why}"
            bot.channel.send(v1.EventNotice(stage=v1.EVENT_STAGE_PLAYING, entrant=name, sentence=sentence))
