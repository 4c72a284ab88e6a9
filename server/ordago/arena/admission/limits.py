"""Limits on connections, in all and of one party, on those without a Hello, and on the rate of new sessions."""

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
"""Maximum length of a bot's frame: an answer of 64 bytes to each of the 1,024 decisions that may be open at it.
gRPC's default of 4 MiB would let each unauthenticated connection fill that much memory."""
_FULL_RETRY_MS: Final = 5_000
"""Milliseconds after which to try a full server again: about as often as a person would."""


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """Limits of a server on connections, sessions and matches."""

    max_connections: int = 2048
    """Connections at once."""
    max_connections_of_one: int = 1024
    """Connections at once of one party: half of all, so that no party can use up all of them."""
    max_strangers: int = 128
    """Connections at once of one party that have not been welcomed yet."""
    hello_seconds: float = 10.0
    """Seconds until a new connection has to be welcomed."""
    sessions_per_second: float = 0.0
    """New sessions a second of one account, or of one address without an account; 0 for no limit."""
    sessions_at_once: int = 100
    """New sessions that the rate allows at once."""
    max_sessions: int = 4096
    """Sessions at once, of bots that are connected or may come back."""
    max_sessions_each: int = 2048
    """Sessions at once of one account, or of one address without an account."""
    max_matches: int = 2048
    """Matches at once at casual tables."""

    @classmethod
    def for_bots(cls, bots: int, *, sessions_per_second: float) -> "ConnectionBounds":
        """Return the limits of a server with room for so many bots: all others but those of strangers grow with it."""
        return cls(
            max_connections=bots,
            max_connections_of_one=max(1, bots // 2),
            sessions_per_second=sessions_per_second,
            max_sessions=2 * bots,
            max_sessions_each=bots,
            max_matches=bots,
        )


class Party(NamedTuple):
    """The key by which connections are counted: a valid token, or else an address."""

    vouched: bool
    """True for a token. It keeps a token that reads like an address apart from that address."""
    name: str
    """The ID of the token, or the address."""


def party(origin: str, *, token: str) -> Party:
    """Return the party of a connection.

    Args:
        origin: the address that it comes from.
        token: the ID of its token, if that is valid; else empty.
    """
    return Party(vouched=bool(token), name=token or origin)


class Stranger(Waiter, Protocol):
    """A new connection without a Hello yet, which is ended when it takes too long or has to make room."""

    @property
    def party(self) -> Party:
        """The party that it counts towards."""

    def turn_away(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the connection."""


class ConnectionLimits:
    """Counts connections and new sessions, and refuses those beyond the limits.

    An honest bot says Hello right after it connects. So when there are too many connections without a Hello, the oldest
    of them is ended and the new one accepted: silent connections, however many, cannot lock out honest bots.
    """

    def __init__(self, bounds: ConnectionBounds, clock: RefereeClock, telemetry: Telemetry | None = None) -> None:
        """Begin without connections.

        Args:
            bounds: the limits.
            clock: the clock by which a Hello is due.
            telemetry: receives that newcomers are shut out; ``None`` to drop that.
        """
        self.bounds = bounds
        self._telemetry = telemetry or Telemetry()
        self._inside: set[Stranger] = set()
        self._inside_of: Counter[Party] = Counter()
        self._strangers: dict[Party, dict[Stranger, None]] = {}
        """The connections without a Hello, by party, the oldest first."""
        self._deadlines = DeadlineQueue(clock, telemetry)
        self._sessions = Allowances(per_second=bounds.sessions_per_second, at_once=bounds.sessions_at_once)

    def come(self, stranger: Stranger) -> Refusal | None:
        """Count a new connection, which has to ``leave`` later, or return a refusal if there is no room."""
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
        """Make room on a full server by ending a stranger's connection; without a valid token, only one without."""
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
        # Now, and not when the connection has ended, since the newcomer takes its place at once.
        self.leave(oldest)
        refusal = full(f"too many connections {_whose(party)} have not said hello; come back later")
        oldest.turn_away(refusal.status, refusal.sentence, retry_after_ms=refusal.retry_after_ms)

    def welcome(self, stranger: Stranger) -> None:
        """Note that a connection was welcomed or has ended, and so has no Hello due any more."""
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
        """Count a new session of an account or address, or return a refusal if it has to wait.

        Args:
            who: the account or address, as ``owner_of`` returns it.
            at: the time, in seconds.
        """
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
    """Return a refusal for want of room, with the time to try again."""
    return Refusal(Status.RESOURCE_EXHAUSTED, sentence, retry_after_ms=_FULL_RETRY_MS)
