"""How those stand who wait for a match, and what they are told: their ranks, and why they cannot be seated."""

from typing import Final
from weakref import WeakKeyDictionary

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.pages.figures import whole
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings import StandingRating, StandingRatings
from ordago_ladder.standing.seating import KnownStrength, Pool
from ordago_ladder.standing.tables.repository import LadderRepository, Sitter

_UNKNOWN: Final = KnownStrength(ANCHOR, 400.0)
"""Somebody of whom nothing is known: he may be as weak or as strong as anybody, nearly."""


class Standings:
    """The ratings of all players, to look up."""

    def __init__(self, repository: LadderRepository, anchors: dict[str, float]) -> None:
        """Begin without ratings but those of house bots that are known, by their names."""
        self._repository = repository
        self._anchors = anchors
        self._games: dict[str, dict[int, StandingRating]] = {}
        self._overall: dict[int, tuple[int, StandingRating]] = {}

    def take(self, ratings: StandingRatings) -> None:
        """Take new ratings."""
        self._games = {game: {one.player: one for one in scale.ratings} for game, scale in ratings.games}
        self._overall = {one.player: (rank, one) for rank, one in enumerate(ratings.overall.ratings, start=1)}

    def strength(self, game: str, sitter: Sitter) -> KnownStrength:
        """Return what is known of the strength of a player at a game: of a new version that of the one before it."""
        if sitter.house and sitter.name in self._anchors:
            return KnownStrength(self._anchors[sitter.name], 0.0)
        rated = self._games.get(game, {})
        known = next((rated[player] for player in self._repository.versions_of(sitter) if player in rated), None)
        return KnownStrength(known.elo, known.half_length) if known is not None else _UNKNOWN

    def place(self, sitter: Sitter) -> tuple[int, StandingRating] | None:
        """Return where a player stands in all games, from 1, and with what rating; ``None`` where he has none."""
        player = self._repository.player_of(sitter)
        return None if player is None else self._overall.get(player)

    def __len__(self) -> int:
        return len(self._overall)


_LEAST_SECONDS: Final = 10.0
"""A bot is told no more often than an author reads."""


class Notices:
    """Tells bots how they stand."""

    def __init__(self, standings: Standings, *, season: str) -> None:
        """Tell what the standings of a season say, which may have no name."""
        self._standings = standings
        self._season = f" in the season {season!r}" if season else ""
        self._told: WeakKeyDictionary[Bot, tuple[int, float]] = WeakKeyDictionary()
        """To each bot: after how many matches of his it was told, and when."""

    def tell(self, bot: Bot, sitter: Sitter) -> None:
        """Tell a bot how it stands, if that has changed since it was told."""
        place, now = self._standings.place(sitter), trio.current_time()
        if place is None or not bot.connected:
            return
        rank, rating = place
        matches, at = self._told.get(bot, (0, -_LEAST_SECONDS))
        if rating.matches > matches and now >= at + _LEAST_SECONDS:
            self._told[bot] = rating.matches, now
            provisional = ", which is provisional" if rating.provisional else ""
            sentence = (
                f"{sitter.name!r} has rank {rank} of {len(self._standings)}{self._season} after {rating.matches} "
                f"matches, with {whole(rating.elo)} ± {whole(rating.half_length)}{provisional}"
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


_LOOK_SECONDS: Final = 10.0
"""So often it is looked who cannot be seated. Thousands may wait, and no author reads more often."""
_LONG_SECONDS: Final = 30.0
"""Who waits no longer than this may only wait for a match to end."""


class UnseatedBots:
    """Tells of bots that wait for long."""

    def __init__(self, telemetry: Telemetry) -> None:
        """Begin with nobody."""
        self._telemetry = telemetry
        self._next_look = 0.0
        self._told: WeakKeyDictionary[Bot, str] = WeakKeyDictionary()
        """What each bot was told last."""

    def look(self, pool: Pool) -> None:
        """Look who cannot be seated now, and tell each bot why unless it was told so; nothing happens too soon."""
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
        if self._told.get(bot) != why:
            self._told[bot] = why
            sentence = f"{name!r} waits, and nobody can be seated with it: {why}"
            bot.channel.send(v1.EventNotice(stage=v1.EVENT_STAGE_PLAYING, entrant=name, sentence=sentence))
