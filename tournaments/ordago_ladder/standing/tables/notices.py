"""What bots are told of how they stand, as it changes."""

from typing import Final
from weakref import WeakKeyDictionary

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago_ladder.pages.figures import whole
from ordago_ladder.standing.tables.repository import Sitter
from ordago_ladder.standing.tables.standings import Standings

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
