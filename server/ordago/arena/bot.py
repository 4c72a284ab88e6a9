"""A bot that is connected, or was and may come back, and the seats that it has."""

import hashlib
import hmac
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.chronicle import BotChronicle, Chronicle, Ending
from ordago.arena.clock import RefereeClock
from ordago.arena.connection import Connection, Departure, Status
from ordago.arena.deadlines import Deadlines
from ordago.arena.flood import FloodGuard, too_many
from ordago.arena.seat import BotSeat
from ordago.match import Acceptance
from ordago.session import ServerBody, ServerLink, Verdict


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a bot is, and what it takes on."""

    name: str
    version: str
    build: str
    nonce: bytes
    games: frozenset[str]
    """The games that it plays."""
    max_open_decisions: int
    """How many decisions may be open at it at once."""
    max_matches: int
    """How many matches it plays at once."""


class Session(NamedTuple):
    """What a bot takes up its session by. The token that it needs for that is not kept."""

    id: str = ""
    token_digest: bytes = b""
    """The digest of the token; empty where there is no coming back."""
    last_handle: int = 0
    """The greatest match handle that was used in the session before."""


NO_SESSION: Final = Session()
"""That of a bot that cannot come back."""


class Loss(NamedTuple):
    """Why a bot does not come back."""

    fault: v1.Fault
    sentence: str


class Bot:
    """A bot over all of its connections. Its methods are called in trio's thread."""

    def __init__(
        self,
        identity: Identity,
        clock: RefereeClock,
        session: Session = NO_SESSION,
        *,
        chronicle: Chronicle | None = None,
    ) -> None:
        """Make a bot that is not connected yet, is charged by a clock, and can be resumed by its session."""
        self.identity = identity
        self.clock = clock
        self.session = session
        chronicle = chronicle or Chronicle()
        self.told = _told(self, chronicle)
        """Where it is told what becomes of it."""
        self.connected = False
        self.has_come = False
        """Whether it was ever connected to this server."""
        self.known_decisions: dict[int, int] = {}
        """The last decision that it had got, by the handle of the match, when it came back last."""
        self.loss: Loss | None = None
        """Why it does not come back; ``None`` while it is there or may come back."""
        self.deadlines = Deadlines(clock, chronicle)
        """When the time of its open decisions is up, and that of its absence."""
        self.flood = FloodGuard()
        """Counts what it sends that answers no open decision."""
        self._connection: Connection | None = None
        self._link = ServerLink()
        self._seats: dict[int, BotSeat] = {}
        self._last_handle = session.last_handle
        self._open_decisions = 0
        self._waiting: deque[BotSeat] = deque()
        """The seats whose decision waits for room at the bot."""
        self._endings: list[tuple[v1.MatchStart, v1.MatchEnd]] = []
        """The matches that ended while it was away."""
        self._wants_seat = trio.lowlevel.ParkingLot()
        self._wants_it_idle = trio.lowlevel.ParkingLot()
        self._expected = trio.Event()

    @property
    def matches(self) -> int:
        """The number of matches that it plays now."""
        return len(self._seats)

    def connect(self, connection: Connection, link: ServerLink) -> None:
        """Take up a connection whose link has just been welcomed, and go on with the matches that run.

        A connection that it had before is superseded.
        """
        if self._connection is not None:
            self.told.ended(Ending.SUPERSEDED)
            self._connection.close(Status.ABORTED, "another connection took over this session")
            self._interrupt()
        self._connection, self._link = connection, link
        self.connected = self.has_come = True
        self._expected.set()
        for start, end in self._endings:
            self.send(start)
            self.send(end)
        self._endings.clear()
        for seat in list(self._seats.values()):
            seat.resume()
        self._wants_seat.unpark_all()

    async def expect(self) -> None:
        """Wait until it was connected to this server once, or does not come."""
        await self._expected.wait()

    def is_resumed_by(self, token: str) -> bool:
        """Say whether a token resumes its session."""
        return hmac.compare_digest(self.session.token_digest, digest_of(token))

    def knows(self, matches: Iterable[v1.KnownMatch]) -> None:
        """Note how far it has come in its matches, by what it says."""
        self.known_decisions = {match.match_handle: match.last_decision for match in matches}

    def is_on(self, connection: Connection) -> bool:
        """Say whether this is its connection, and not one that was superseded."""
        return self._connection is connection

    def disconnect(self) -> None:
        """Note that its connection is gone. It may come back."""
        self._connection = None
        self._interrupt()
        for seat in list(self._seats.values()):
            seat.wait_for_the_bot()

    def _interrupt(self) -> None:
        self.connected = False
        self._open_decisions = 0
        self._waiting.clear()
        for seat in self._seats.values():
            seat.interrupt()

    def give_up(self, fault: v1.Fault, sentence: str) -> None:
        """Note that it does not come back: it forfeits the matches that it plays."""
        if self.loss is not None:
            return
        self.loss = Loss(fault, sentence)
        self._expected.set()
        self._wants_seat.unpark_all()
        for seat in list(self._seats.values()):
            seat.give_up(fault, sentence)

    def take_seat(self) -> BotSeat:
        """Return a new seat for this bot, to be handed to a match."""
        self._last_handle += 1
        return self.take_seat_again(self._last_handle)

    def take_seat_again(self, handle: int) -> BotSeat:
        """Return a seat in a match that goes on after a restart, by the handle that it had before."""
        seat = self._seats[handle] = BotSeat(self, handle)
        return seat

    async def seat_when_free(self) -> BotSeat | None:
        """Return a new seat as soon as the bot is there and plays fewer matches than it takes on at once.

        Return ``None`` if it is lost before that.
        """
        while self.loss is None and not (self.connected and self.matches < self.identity.max_matches):
            await self._wants_seat.park()
        return self.take_seat() if self.loss is None else None

    async def idle(self) -> None:
        """Wait until it plays no match."""
        while self._seats:
            await self._wants_it_idle.park()

    def has_seat(self, handle: int) -> bool:
        """Say whether the match of a seat goes on."""
        return handle in self._seats

    def leave_seat(self, handle: int) -> None:
        """Forget a seat whose match is over."""
        del self._seats[handle]
        self._wants_seat.unpark()
        if not self._seats:
            self._wants_it_idle.unpark_all()

    def choose(self, choice: v1.Choice, *, at: float) -> None:
        """Take in a choice that arrived at this time."""
        verdict = self._link.judge(choice)
        if verdict is Verdict.OPEN:
            self._seats[choice.match_handle].answered(choice, at=at)
        else:
            self._bear_with(choice, verdict, wait_seconds=self.flood.count(at=at))

    def _bear_with(self, choice: v1.Choice, verdict: Verdict, *, wait_seconds: float) -> None:
        """Reply to a choice that answers no open decision."""
        if verdict is Verdict.PENDING:
            return
        if wait_seconds:
            self.told.stale()
            self.send(too_many(choice, wait_seconds=wait_seconds))
        elif verdict is Verdict.REPEATED:
            self._seats[choice.match_handle].repeat_acceptance()
        else:
            self.told.stale()
            self.send(_stale(choice, verdict))

    def send(self, body: ServerBody) -> None:
        """Send a message to the bot, if it is connected."""
        if self._connection is not None:
            self._connection.send(self._link.send(body))

    def put(self, handle: int, number: int, decision: bytes) -> Departure:
        """Put a decision to the bot, which is connected.

        Args:
            handle: the match.
            number: the number of the decision.
            decision: the decision without the match handle, serialized.
        """
        assert self._connection is not None
        departure = Departure(self.clock.now(), self.clock.lost)
        self._connection.send(self._link.send_decision(handle, number, decision), departure)
        return departure

    def accept(self, handle: int, accepted: Acceptance) -> None:
        """Tell the bot, if it is connected, that a decision of the match with this handle is closed."""
        if self._connection is not None:
            number, _, rest, fault = accepted
            self._connection.send(self._link.send_accepted(handle, number, rest, by_default=bool(fault)))

    def tell_end(self, start: v1.MatchStart, end: v1.MatchEnd) -> None:
        """Tell that a match is over, as soon as the bot is connected."""
        if self._connection is not None:
            self.send(end)
        elif self.loss is None:
            self._endings.append((start, end))

    def say_goodbye(self, sentence: str, *, status: Status = Status.OK, fault: v1.Fault = v1.FAULT_UNSPECIFIED) -> None:
        """End the session in an orderly way, if the bot is connected."""
        if self._connection is not None:
            self.send(v1.Goodbye(sentence=sentence, fault=fault))
            self._connection.close(status, sentence)
            self.told.ended(Ending.DISMISSED)
            self.disconnect()

    def suspend(self, sentence: str) -> None:
        """End the connection, if there is one, so that the bot comes back when the server is there again.

        Its matches are left as they are: whoever calls this sees to it that they do not go on here.
        """
        if self._connection is not None:
            self._connection.close(Status.UNAVAILABLE, sentence)
            self._connection = None
            self._interrupt()

    def put_when_free(self, seat: BotSeat) -> None:
        """Let a seat put its question as soon as one more decision may be open at the bot, which is connected."""
        if self._open_decisions < self.identity.max_open_decisions:
            self._open_decisions += 1
            seat.put()
        else:
            self._waiting.append(seat)

    def wait_no_more(self, seat: BotSeat) -> None:
        """Note that a seat has nothing to put any more, if it waited for that."""
        if seat in self._waiting:
            self._waiting.remove(seat)

    def free_room(self) -> None:
        """Note that a decision is not open any more."""
        self._open_decisions -= 1
        if self._waiting:
            self.put_when_free(self._waiting.popleft())


def digest_of(token: str) -> bytes:
    """Return what is kept of a token in its place: its SHA-256."""
    return hashlib.sha256(token.encode()).digest()


def _told(bot: Bot, chronicle: Chronicle) -> BotChronicle:
    return chronicle.bot(session_id=bot.session.id, name=bot.identity.name, version=bot.identity.version)


def _stale(choice: v1.Choice, verdict: Verdict) -> v1.Refused:
    if verdict is Verdict.LATE:
        fault, sentence = v1.FAULT_TOO_LATE, "the decision was closed before this answer came"
    else:
        fault, sentence = v1.FAULT_STALE, "there is no such decision at this bot"
    return v1.Refused(match_handle=choice.match_handle, number=choice.number, fault=fault, sentence=sentence)
