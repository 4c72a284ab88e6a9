"""Authenticators: for every bot, and for launched bots alone. ``account_tokens`` has those by account."""

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.fingerprint import fingerprint
from ordago.journal.v1 import JournaledSession

_LAUNCH_TOKEN_BYTES: Final = 24
"""192 bits: too many to guess."""
_NOT_LAUNCHED: Final = "the token is missing, invalid or used up; start the bot with the one that it was given"


NO_BEARER: Final = "the authorization is not 'Bearer TOKEN'; check that the word Bearer is before the token"
"""The error for a bot that needs a token, and sent an authorization of another form."""


def _note_nothing() -> None:
    """Do nothing."""


def _care_not(_bot: Bot) -> None:
    """Do nothing."""


_NOWHERE: Final = Counter[str]()


class Share(NamedTuple):
    """The limits of one account, within those of the server."""

    bots: int
    """Maximum of bots, by their names, that are connected or may come back."""
    sessions: int
    """Maximum of sessions of bots that are connected or may come back."""
    elsewhere: Counter[str] = _NOWHERE
    """The sessions that count too although they are at other servers, by names of bots."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The permission of a bot to connect."""

    arrived: Callable[[Bot], None]
    """Is called with the bot as soon as it is welcomed, and again whenever it resumes."""
    name: str = ""
    """The name assigned to the bot; empty for the one that it gives."""
    usual_name: str = "bot"
    """The name of a bot that neither was assigned nor gives one."""
    version: str = ""
    """The version assigned to the bot; empty for the one that it gives."""
    account: str = ""
    """The account that it belongs to; empty if there are no accounts."""
    fingerprint: bytes = field(default=b"", repr=False)
    """The fingerprint of the token that the permission depends on; empty if it depends on none."""
    share: Share | None = None
    """The limits of its account; ``None`` for those of the server alone."""
    begun: Callable[[], None] = _note_nothing
    """Is called when the session has begun; an admitted bot may still be refused, by a limit for instance."""
    gone: Callable[[Bot], None] = _care_not
    """Is called with the bot whenever its connection is lost, and when it does not come back."""
    in_place_of: Bot | None = None
    """The bot whose session and matches the new process takes over, unless that bot is lost by then; ``None`` for a
    session of its own."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a bot that wants to connect or to stay."""

    status: Status
    sentence: str
    """The reason and a remedy, in one sentence without secrets."""
    retry_after_ms: int = 0
    """Milliseconds after which to try again; 0 if that is of no use."""


class Authenticator(Protocol):
    """Decides which bots may connect."""

    def recognise(self, token: str | None) -> str:
        """Return the ID of a valid token, always the same for one token; empty for an invalid one.

        It is called for each new connection before any message, so it has to be cheap and must not use up a token.
        """

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Return the admission of a bot with this token, or a refusal. A token for a single use is used up."""

    def review(self, admission: Admission) -> Refusal | None:
        """Return a refusal if an admission is not valid any more, else ``None``. It is called again and again."""


class LastingAuthenticator(Authenticator, Protocol):
    """An authenticator whose bots may come back after a restart of the server."""

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the admission of a session from before the restart, which ``review`` then has to confirm."""


@dataclass(frozen=True, slots=True)
class AllowEverybody:
    """Admits every bot."""

    arrived: Callable[[Bot], None]
    """Is called with each bot that is welcomed, and again whenever it resumes."""

    def recognise(self, token: str | None) -> str:  # noqa: ARG002 - no token means anything here
        """Recognise no token."""
        return ""

    def admit(self, token: str | None, bot: v1.Software) -> Admission:  # noqa: ARG002 - nothing is asked for
        """Admit the bot, whatever its token."""
        return Admission(self.arrived)

    def review(self, admission: Admission) -> None:
        """Let every bot stay."""

    def readmit(self, session: JournaledSession) -> Admission:  # noqa: ARG002 - as above
        """Admit the bot, whatever its session."""
        return Admission(self.arrived)


class LaunchTokens:
    """Admits the processes that were launched here, each once."""

    def __init__(self) -> None:
        self._expected: dict[bytes, Admission] = {}
        self._launched: set[bytes] = set()
        """The fingerprints of the tokens of running processes, used up or not."""

    def expect(self, admission: Admission) -> str:
        """Return a new token that is valid once, for this admission."""
        token = secrets.token_urlsafe(_LAUNCH_TOKEN_BYTES)
        self._expected[fingerprint(token)] = admission
        self._launched.add(fingerprint(token))
        return token

    def withdraw(self, token: str) -> None:
        """Invalidate a token, used up or not."""
        self._expected.pop(fingerprint(token), None)
        self._launched.discard(fingerprint(token))

    def recognise(self, token: str | None) -> str:
        """Recognise a process that still runs, even by a used-up token: it sends the same one when it reconnects."""
        known = fingerprint(token) if token else b""
        return known.hex() if known in self._launched else ""

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:  # noqa: ARG002 - its token says it all
        """Admit the bot that was launched with this token."""
        # The time of looking up a fingerprint reveals nothing about the token.
        admission = self._expected.pop(fingerprint(token), None) if token else None
        return admission or Refusal(Status.UNAUTHENTICATED, _NOT_LAUNCHED)

    def review(self, admission: Admission) -> None:
        """Let every admitted bot stay."""
