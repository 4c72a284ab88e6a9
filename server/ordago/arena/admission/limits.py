"""How many may come: connections in all and of one party, those that did not say Hello, and new sessions in a time."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from ordago.arena.admission.authenticator import Refusal
from ordago.arena.allowance import Allowances
from ordago.arena.connection import Status
from ordago.arena.deadline_queue import DeadlineQueue, Waiter
from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry

MAX_FRAME_BYTES: Final = 64 * 1024
"""How long a frame of a bot may be: room for an answer of 64 bytes to each of 1,024 decisions that may be open at it.
gRPC would read 4 MiB for each of as many strangers as like to come."""
_FULL_RETRY_MS: Final = 5_000
"""When it is worth while to try again at a server that is full: about as often as a person would."""


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """How many a server lets come."""

    max_connections: int = 2048
    """Connections at once."""
    max_connections_of_one: int = 1024
    """Connections at once of one party: a half, so that nobody can use up all alone."""
    max_strangers: int = 128
    """Connections at once of one party that were not welcomed yet."""
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


class Party(NamedTuple):
    """With whom a connection is counted: those with the same good token, or those from one address without any."""

    vouched: bool
    """Whether it is by a token. So nobody can pass for an address, or an address for a token."""
    name: str


def party(origin: str, *, token: str) -> Party:
    """Return with whom somebody is counted.

    Args:
        origin: the address that he comes from.
        token: what his token is called, if it is good; empty if it is not.
    """
    return Party(vouched=bool(token), name=token or origin)


class Stranger(Waiter, Protocol):
    """Somebody on a new connection, who is told when he took too long to say who he is, or makes room for others."""

    @property
    def party(self) -> Party:
        """With whom he is counted."""

    def turn_away(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the connection."""


class ConnectionLimits:
    """Counts who comes and goes.

    Whoever comes in good faith says Hello at once, in the same breath as it were. So where strangers are too many it is
    the oldest of them who has to go, and a newcomer is let in: those who come and keep silent can fill up the room of
    nobody, however many they are.
    """

    def __init__(self, bounds: ConnectionBounds, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Begin with nobody. Strangers have their time by a clock."""
        self.bounds = bounds
        self._telemetry = telemetry or Telemetry()
        self._inside: set[Stranger] = set()
        self._inside_of: Counter[Party] = Counter()
        self._strangers: dict[Party, dict[Stranger, None]] = {}
        """Those of each party, the oldest first."""
        self._deadlines = DeadlineQueue(clock, telemetry)
        self._sessions = Allowances(per_second=bounds.sessions_per_second, at_once=bounds.sessions_at_once)

    def come(self, stranger: Stranger) -> Refusal | None:
        """Let somebody in who will ``leave`` again, or return why he has to stay outside."""
        refusal = self._room_among_his_own(stranger.party) or self._room_among_all(stranger.party)
        if refusal is None:
            self._inside.add(stranger)
            self._inside_of[stranger.party] += 1
            self._strangers.setdefault(stranger.party, {})[stranger] = None
            self._deadlines.add(stranger)
        return refusal

    def _room_among_his_own(self, party: Party) -> Refusal | None:
        too_many = self._inside_of[party] >= self.bounds.max_connections_of_one
        strangers = self._strangers.get(party, {})
        if strangers and (too_many or len(strangers) >= self.bounds.max_strangers):
            self._send_away_the_oldest(party)
            return None
        return full(f"too many connections {_whose(party)}; come back later") if too_many else None

    def _room_among_all(self, party: Party) -> Refusal | None:
        """Take the place of a stranger where all are taken; who has no good token takes that of nobody who has."""
        if len(self._inside) < self.bounds.max_connections:
            return None
        below = [one for one in self._strangers if party.vouched or not one.vouched]
        if not below:
            self._telemetry.newcomers_shut_out("the server is full")
            return full("the server is full; come back later")
        self._send_away_the_oldest(max(below, key=lambda one: (not one.vouched, len(self._strangers[one]))))
        return None

    def _send_away_the_oldest(self, party: Party) -> None:
        oldest = next(iter(self._strangers[party]))
        # At once, and not when his connection has ended: whoever comes takes his place now.
        self.leave(oldest)
        refusal = full(f"too many connections {_whose(party)} have not said hello; come back later")
        oldest.turn_away(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)

    def welcome(self, stranger: Stranger) -> None:
        """Note that somebody is no stranger any more."""
        strangers = self._strangers.get(stranger.party, {})
        if stranger in strangers:
            del strangers[stranger]
            self._deadlines.discard(stranger)
            if not strangers:
                del self._strangers[stranger.party]

    def leave(self, stranger: Stranger) -> None:
        """Note that a connection is gone."""
        self.welcome(stranger)
        if stranger in self._inside:
            self._inside.remove(stranger)
            self._inside_of[stranger.party] -= 1
            if not self._inside_of[stranger.party]:
                del self._inside_of[stranger.party]

    def begin_session(self, who: str, *, at: float) -> Refusal | None:
        """Count a new session of an account, or from an address, or return why it has to wait."""
        if not self.bounds.sessions_per_second:
            return None
        wait_ms = math.ceil(self._sessions.take(who, at=at) * 1000)
        if not wait_ms:
            return None
        sentence = f"too many new sessions; come back in {wait_ms} ms"
        return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)


def _whose(party: Party) -> str:
    return "with your token" if party.vouched else "from your address"


def full(sentence: str) -> Refusal:
    """Return what is said to somebody for whom there is no room now."""
    return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=_FULL_RETRY_MS)
