"""The authenticator of an event: it asks for a token of an account that has an entrant there."""

from collections.abc import Mapping
from typing import Final, Protocol

from ordago import v1
from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.authenticator import Admission, Refusal
from ordago.arena.connection import Status
from ordago.store.account_rows import Token

_NO_ENTRANT: Final = "the token is good, but its account {account!r} has no entrant in this event"
_OTHER_BOT: Final = "the token is made out to the bot {bot!r}; the entrant of its account in this event is {name!r}"


class Place(Protocol):
    """An entrant of an event, for whom bots of an account may play."""

    @property
    def name(self) -> str:
        """What the entrant is called."""

    def admit(self, token: Token) -> Admission | Refusal:
        """Return the leave to play for the entrant that a good token of its account gives, or why there is none."""


class EntrantTokens:
    """Lets those in whose token belongs to an account with an entrant. Whatever they call themselves, they play for it.

    So nobody comes in for somebody else, and no name of a bot is taken up by an event.
    """

    def __init__(self, accounts: AccountTokens, places: Mapping[str, Place]) -> None:
        """Let those in who play for these entrants, by their accounts."""
        self._accounts = accounts
        self._places = places

    def recognise(self, token: str | None) -> str:
        """Recognise a token of any account: it is still to be counted with its own."""
        return self._accounts.recognise(token)

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:  # noqa: ARG002 - its token says it all
        """Let a bot in for the entrant of its account."""
        known = self._accounts.holder(token)
        if isinstance(known, Refusal):
            return known
        place = self._places.get(known.account)
        if place is None:
            return Refusal(Status.PERMISSION_DENIED, _NO_ENTRANT.format(account=known.account))
        if known.bot not in ("", place.name):
            return Refusal(Status.PERMISSION_DENIED, _OTHER_BOT.format(bot=known.bot, name=place.name))
        return place.admit(known)

    def review(self, admission: Admission) -> Refusal | None:
        """Return why somebody who was let in has to leave, or ``None`` if he may stay."""
        known = self._accounts.holder_by(admission.fingerprint)
        return known if isinstance(known, Refusal) else None
