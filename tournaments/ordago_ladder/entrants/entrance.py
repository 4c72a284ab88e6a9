"""Where remote bots come in to an event."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ordago.arena.admission.account_tokens import AccountTokens, EntrantTokens, Place
from ordago.edge import Guests, Way


class Entrance(NamedTuple):
    """Where and how remote bots come in."""

    accounts: AccountTokens
    """Who has which token."""
    way: Way
    """How they come in."""
    until: datetime | None = None
    """When check-in ends at the latest, whatever the event file says; ``None``: never."""

    def guests(self, places: Mapping[str, Place]) -> Guests:
        """Return who comes in for the entrants of some accounts."""
        return Guests(EntrantTokens(self.accounts, places), self.way)
