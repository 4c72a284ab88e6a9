"""Who may come in: anybody, or those who were launched. ``account_tokens`` asks for the token of an account."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.connection import Status
from ordago.fingerprint import fingerprint
from ordago.journal.v1 import JournaledSession

_LAUNCH_TOKEN_BYTES: Final = 24
"""192 bits: no number of tries guesses it."""
_NOT_LAUNCHED: Final = "the token is missing, not valid or used up; start the bot with the one that it was given"


NO_BEARER: Final = (
    "the authorization that came does not read 'Bearer TOKEN': is the word Bearer missing before the token?"
)
"""What is said to a bot that would need a token, and sent something else in its place."""


def _note_nothing() -> None:
    """Note nothing."""


def _care_not(_bot: Bot) -> None:
    """Care not."""


class Share(NamedTuple):
    """How much of a server an account may have, within what anybody may."""

    bots: int
    """Bots that are here or may come back, by their names."""
    sessions: int
    """Sessions, of bots that are here and of those that may come back."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Leave to come in."""

    arrived: Callable[[Bot], None]
    """Is called with the bot as soon as it was welcomed, and again whenever it came back."""
    name: str = ""
    """The name that the bot has here; empty for the one that it gives itself."""
    usual_name: str = "bot"
    """The name of a bot that has none here and gives itself none."""
    version: str = ""
    """The version that the bot has here; empty for the one that it gives itself."""
    account: str = ""
    """The account that it belongs to; empty where there are none."""
    fingerprint: bytes = field(default=b"", repr=False)
    """That of the token which the leave depends on; empty where it depends on none."""
    share: Share | None = None
    """How much its account may have; ``None`` for as much as anybody."""
    begun: Callable[[], None] = _note_nothing
    """Is called when the session has begun for which the leave was given: there may be other reasons against it."""
    gone: Callable[[Bot], None] = _care_not
    """Is called with the bot whenever its connection is lost, and when it does not come back."""
    in_place_of: Bot | None = None
    """The bot that is away and whose session, with all its matches, goes on at the process that comes in; ``None``
    where one of its own begins, as it does where that bot does not come back."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """No leave to come in, or none to stay."""

    status: Status
    sentence: str
    """What is wrong and what would be right; it tells no secret."""
    retry_after_ms: int = 0
    """After how long it is worth while to come again; 0 where that is of no use."""


class Authenticator(Protocol):
    """Decides who may come in."""

    def recognise(self, token: str | None) -> str:
        """Return what a token is called that is good, the same whenever it comes; nothing for one that is not.

        It is asked of every connection before it has said anything, so it costs next to nothing, and uses up nothing.
        """

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:
        """Return the leave that a token gives a bot. A token that is good for one entry is used up."""

    def review(self, admission: Admission) -> Refusal | None:
        """Return why a leave is not good any more, or ``None`` if it is. It is asked again and again."""


class LastingAuthenticator(Authenticator, Protocol):
    """An authenticator whose bots may come back when the server was started anew."""

    def readmit(self, session: JournaledSession) -> Admission:
        """Return the leave of a session that began before; ``review`` says whether it is still good."""


@dataclass(frozen=True, slots=True)
class AllowEverybody:
    """Lets everybody in."""

    arrived: Callable[[Bot], None]
    """Is called with each bot that comes, and again whenever it comes back."""

    def recognise(self, token: str | None) -> str:  # noqa: ARG002 - no token means anything here
        """Recognise nobody."""
        return ""

    def admit(self, token: str | None, bot: v1.Software) -> Admission:  # noqa: ARG002 - nothing is asked for
        """Let the bot in, whatever its token."""
        return Admission(self.arrived)

    def review(self, admission: Admission) -> None:
        """Let everybody stay."""

    def readmit(self, session: JournaledSession) -> Admission:  # noqa: ARG002 - as above
        """Let the bot in, whatever its session."""
        return Admission(self.arrived)


class LaunchTokens:
    """Lets those in who were launched, each launch once."""

    def __init__(self) -> None:
        self._expected: dict[bytes, Admission] = {}
        self._launched: set[bytes] = set()
        """The tokens of those who run, used up or not."""

    def expect(self, admission: Admission) -> str:
        """Return a new token that is good for one entry."""
        token = secrets.token_urlsafe(_LAUNCH_TOKEN_BYTES)
        self._expected[fingerprint(token)] = admission
        self._launched.add(fingerprint(token))
        return token

    def withdraw(self, token: str) -> None:
        """Make a token worthless that was perhaps not used."""
        self._expected.pop(fingerprint(token), None)
        self._launched.discard(fingerprint(token))

    def recognise(self, token: str | None) -> str:
        """Recognise who was launched and still runs: he comes back with a token that is used up."""
        known = fingerprint(token) if token else b""
        return known.hex() if known in self._launched else ""

    def admit(self, token: str | None, bot: v1.Software) -> Admission | Refusal:  # noqa: ARG002 - its token says it all
        """Let the bot in whose launch token this is."""
        # Looking up a fingerprint takes no time that tells anything about the token.
        admission = self._expected.pop(fingerprint(token), None) if token else None
        return admission or Refusal(Status.UNAUTHENTICATED, _NOT_LAUNCHED)

    def review(self, admission: Admission) -> None:
        """Let everybody stay who came in."""
