"""The seats of a ladder match that begins."""

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
    """A seat of a match that begins. Its ``bot`` and ``seat`` are ``None`` while a house bot is being started."""

    sitter: Sitter
    bot: Bot | None = None
    seat: BotSeat | None = None
    house: HouseBots | None = None
    """The house bots to which it belongs; ``None`` for a bot from outside."""

    @property
    def here(self) -> Bot:
        """The bot, which has to be connected by now."""
        assert self.bot is not None
        return self.bot

    @property
    def brought(self) -> Brought:
        """The data of this seat that the store keeps."""
        identity = self.here.identity
        return Brought(self.sitter, identity.build, identity.nonce, identity.sdk)

    @property
    def journaled(self) -> JournaledSeat:
        """The journal entry of this seat; empty for a house bot, whose session ends with the server."""
        if self.sitter.house or self.seat is None:
            return JournaledSeat()
        return JournaledSeat(session_id=self.here.session.id, match_handle=self.seat.handle)

    def give_back(self) -> None:
        """Release the seat, since the match does not begin."""
        if self.seat is not None:
            self.here.give_back(self.seat)


class Begun(NamedTuple):
    """A match that store and journal have, so that it may be played."""

    terms: MatchTerms
    head: Head
    """The head of the ledger of its epoch, with this match."""
    page: MatchPage
