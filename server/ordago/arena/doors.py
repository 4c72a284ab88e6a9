"""Who may come in: anybody, or those who were launched."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from ordago import v1
from ordago.arena.bot import Bot, digest_of

_LAUNCH_TOKEN_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class Admission:
    """Leave to come in."""

    arrived: Callable[[Bot], None]
    """Is called with the bot as soon as it was welcomed, and again whenever it came back."""
    name: str = ""
    """The name that the bot has here; empty for the one that it gives itself."""
    version: str = ""
    """The version that the bot has here; empty for the one that it gives itself."""


class Door(Protocol):
    """Decides who may come in."""

    def admit(self, token: str | None) -> Admission | None:
        """Return the leave that a token gives, or ``None``. A token that is good for one entry is used up."""


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """Lets everybody in."""

    arrived: Callable[[Bot], None]
    """Is called with each bot that comes, and again whenever it comes back."""

    def admit(self, token: str | None) -> Admission | None:  # noqa: ARG002 - no token is asked for
        """Let the bot in, whatever its token."""
        return Admission(self.arrived)

    def readmit(self, session: v1.JournaledSession) -> Admission:  # noqa: ARG002 - as above
        """Return the leave of a session that began before the server was started anew."""
        return Admission(self.arrived)


class LaunchDoor:
    """Lets those in who were launched, each launch once."""

    def __init__(self) -> None:
        self._expected: dict[bytes, Admission] = {}

    def expect(self, admission: Admission) -> str:
        """Return a new token that is good for one entry."""
        token = secrets.token_urlsafe(_LAUNCH_TOKEN_BYTES)
        self._expected[digest_of(token)] = admission
        return token

    def withdraw(self, token: str) -> None:
        """Make a token worthless that was perhaps not used."""
        self._expected.pop(digest_of(token), None)

    def admit(self, token: str | None) -> Admission | None:
        """Let the bot in whose launch token this is."""
        # Looking up a fingerprint takes no time that tells anything about the token.
        return self._expected.pop(digest_of(token), None) if token else None
