"""Who sits at a match of a standing ladder that begins."""

from dataclasses import dataclass
from typing import NamedTuple

from ordago.arena.bot import Bot
from ordago.arena.seat import BotSeat
from ordago.journal import MatchPage
from ordago.journal.v1 import JournaledSeat
from ordago.match import MatchTerms
from ordago.record.head import Head
from ordago_ladder.standing.tables.house_bots import HouseBots
from ordago_ladder.standing.tables.repository import Brought, Sitter


@dataclass(slots=True)
class Place:
    """Who sits at a seat of a match that begins. A bot of the house comes when it is started."""

    sitter: Sitter
    bot: Bot | None = None
    seat: BotSeat | None = None
    house: HouseBots | None = None
    """Those it belongs to, if it is a bot of the house."""

    @property
    def here(self) -> Bot:
        """The bot, which is there."""
        assert self.bot is not None
        return self.bot

    @property
    def brought(self) -> Brought:
        """What is written down of it."""
        identity = self.here.identity
        return Brought(self.sitter, identity.build, identity.nonce, identity.sdk)

    @property
    def journaled(self) -> JournaledSeat:
        """What the journal holds of it: of a bot of the house, whose session ends with the server, nothing."""
        if self.sitter.house or self.seat is None:
            return JournaledSeat()
        return JournaledSeat(session_id=self.here.session.id, match_handle=self.seat.handle)

    def give_back(self) -> None:
        """Give back a seat of a match that does not begin."""
        if self.seat is not None:
            self.here.give_back(self.seat)


class Begun(NamedTuple):
    """A match that is entered and noted, and may be played."""

    terms: MatchTerms
    head: Head
    """How far the ledger of its epoch has come with it."""
    page: MatchPage
