"""How many may come: connections at once, those of them that have not said who they are, and new sessions in a time."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final, Protocol

from ordago.arena.admission.authenticator import Refusal
from ordago.arena.allowance import Allowance
from ordago.arena.clock import RefereeClock
from ordago.arena.connection import Status
from ordago.arena.deadlines import Deadlines, Waiter
from ordago.telemetry.telemetry import Telemetry

MAX_FRAME_BYTES: Final = 64 * 1024
"""How long a frame of a bot may be: room for an answer of 64 bytes to each of 1,024 decisions that may be open at it.
gRPC would read 4 MiB for each of as many strangers as like to come."""
_KEPT_ALLOWANCES: Final = 1024
"""How many accounts and addresses are remembered by what they have left; then those are forgotten who have it all."""
_FULL_RETRY_MS: Final = 5_000
"""When it is worth while to try again at a server that is full: about as often as a person would."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many a server lets come."""

    max_connections: int = 2048
    """Connections at once."""
    max_strangers: int = 128
    """Connections at once from one address that were not welcomed yet."""
    hello_seconds: float = 10.0
    """How long a connection may take until it is welcomed."""
    sessions_per_second: float = 0.0
    """New sessions of one account, or from one address where no account is known. Zero: any number."""
    sessions_at_once: int = 100
    """How many of these may come at a stroke."""
    max_sessions: int = 4096
    """Sessions at once, of bots that are here and of those that may come back."""
    max_sessions_each: int = 2048
    """The same, of one account, or from one address where no account is known."""
    max_matches: int = 2048
    """Matches at once at casual tables."""


class Stranger(Waiter, Protocol):
    """Somebody on a new connection, who is told when he took too long to say who he is."""

    @property
    def origin(self) -> str:
        """Where he comes from."""


class ConnectionLimits:
    """Counts who comes and goes."""

    def __init__(self, bounds: Bounds, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Begin with nobody. Strangers have their time by a clock."""
        self.bounds = bounds
        self._inside: set[Stranger] = set()
        self._strangers: set[Stranger] = set()
        self._strangers_from: Counter[str] = Counter()
        self._deadlines = Deadlines(clock, telemetry)
        self._sessions: dict[str, Allowance] = {}

    def come(self, stranger: Stranger) -> Refusal | None:
        """Let somebody in who will ``leave`` again, or return why he has to stay outside."""
        if len(self._inside) >= self.bounds.max_connections:
            return full("the server is full; come back later")
        if self._strangers_from[stranger.origin] >= self.bounds.max_strangers:
            return full("too many connections from your address have not said hello; come back later")
        self._inside.add(stranger)
        self._strangers.add(stranger)
        self._strangers_from[stranger.origin] += 1
        self._deadlines.add(stranger)
        return None

    def welcome(self, stranger: Stranger) -> None:
        """Note that somebody is no stranger any more."""
        if stranger in self._strangers:
            self._strangers.remove(stranger)
            self._deadlines.discard(stranger)
            self._strangers_from[stranger.origin] -= 1
            if not self._strangers_from[stranger.origin]:
                del self._strangers_from[stranger.origin]

    def leave(self, stranger: Stranger) -> None:
        """Note that a connection is gone."""
        self.welcome(stranger)
        self._inside.discard(stranger)

    def begin_session(self, who: str, *, at: float) -> Refusal | None:
        """Count a new session of an account, or from an address, or return why it has to wait."""
        if not self.bounds.sessions_per_second:
            return None
        wait_ms = math.ceil(self._allowance(who, at).take(at=at) * 1000)
        if not wait_ms:
            return None
        sentence = f"too many new sessions; come back in {wait_ms} ms"
        return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)

    def _allowance(self, who: str, at: float) -> Allowance:
        if len(self._sessions) >= _KEPT_ALLOWANCES:
            self._sessions = {name: one for name, one in self._sessions.items() if not one.is_full(at=at)}
        if who not in self._sessions:
            self._sessions[who] = Allowance(
                per_second=self.bounds.sessions_per_second, at_once=self.bounds.sessions_at_once
            )
        return self._sessions[who]


def full(sentence: str) -> Refusal:
    """Return what is said to somebody for whom there is no room now."""
    return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=_FULL_RETRY_MS)
