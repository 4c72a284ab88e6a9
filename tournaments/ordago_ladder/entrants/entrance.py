"""The address and accounts by which remote bots connect to an event."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ordago.arena.admission.account_tokens import AccountTokens, EntrantTokens, Place
from ordago.edge import Guests, Way


class Entrance(NamedTuple):
    """The address, transport and accounts by which remote bots connect."""

    accounts: AccountTokens
    """The accounts and their tokens."""
    way: Way
    """The port that they connect to: one of their own, or that of a running server."""
    until: datetime | None = None
    """The latest end of check-in, whatever the event file says; ``None`` for no such limit."""

    def guests(self, places: Mapping[str, Place]) -> Guests:
        """Return the admission of bots with a token of some accounts, each to the place of its account."""
        return Guests(EntrantTokens(self.accounts, places), self.way)
