"""A bot that is connected, or was and may come back, and the seats that it has."""

import secrets
from dataclasses import dataclass, field
from typing import Final

import trio

from ordago import v1
from ordago.arena.connection import Connection, Departure, Status
from ordago.arena.deadlines import Deadlines
from ordago.arena.flood import FloodGuard, too_many
from ordago.match import Decision, Reply
from ordago.session import ServerBody, ServerLink, Verdict

_SESSION_ID_BYTES: Final = 12
_RESUME_TOKEN_BYTES: Final = 24
_HANDING_OVER_SECONDS: Final = 0.025
"""How long an answer that came in time may take from the transport to the match."""
_NOT_CONNECTED: Final = Reply(None, 0.0, v1.FAULT_DISCONNECTED)


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


class Bot:
    """A bot over all of its connections. Its methods are called in trio's thread."""

    def __init__(self, identity: Identity) -> None:
        """Make a bot that is not connected yet."""
        self.identity = identity
        self.session_id = secrets.token_hex(_SESSION_ID_BYTES)
        self.resume_token = secrets.token_urlsafe(_RESUME_TOKEN_BYTES)
        self.connected = False
        self.lost = trio.Event()
        """Set when the connection is gone; a resume gives a new event."""
        self.lost_at = 0.0
        """When the last connection was lost, in seconds of trio's clock."""
        self.deadlines = Deadlines()
        """When the time of its open decisions is up."""
        self.flood = FloodGuard()
        """Counts what it sends that answers no open decision."""
        self._connection: Connection | None = None
        self._link = ServerLink()
        self._seats: dict[int, BotSeat] = {}
        self._last_handle = 0
        self._open_decisions = 0
        self._queue = trio.lowlevel.ParkingLot()
        self._match_queue = trio.lowlevel.ParkingLot()

    @property
    def matches(self) -> int:
        """The number of matches that it plays now."""
        return len(self._seats)

    def connect(self, connection: Connection, link: ServerLink) -> None:
        """Take up a connection whose link has just been welcomed, and go on with the matches that run.

        A connection that it had before is superseded.
        """
        if self._connection is not None:
            self._connection.close(Status.ABORTED, "another connection took over this session")
            self._break_off()
        self._connection, self._link = connection, link
        self.connected = True
        self.lost = trio.Event()
        for seat in self._seats.values():
            seat.resume()

    def is_on(self, connection: Connection) -> bool:
        """Say whether this is its connection, and not one that was superseded."""
        return self._connection is connection

    def disconnect(self) -> None:
        """Note that its connection is gone: open decisions fall to the default answer."""
        self._connection = None
        self._break_off()

    def _break_off(self) -> None:
        self.connected = False
        self.lost_at = trio.current_time()
        self.lost.set()
        for seat in self._seats.values():
            seat.break_off()
        self._queue.unpark_all()

    def take_seat(self) -> "BotSeat":
        """Return a new seat for this bot, to be handed to a match."""
        self._last_handle += 1
        seat = BotSeat(self, self._last_handle)
        self._seats[seat.handle] = seat
        return seat

    async def seat_when_free(self) -> "BotSeat":
        """Return a new seat as soon as the bot plays fewer matches than it takes on at once."""
        while self.matches >= self.identity.max_matches:
            await self._match_queue.park()
        return self.take_seat()

    def has_seat(self, handle: int) -> bool:
        """Say whether the match of a seat goes on."""
        return handle in self._seats

    def leave_seat(self, handle: int) -> None:
        """Forget a seat whose match is over."""
        del self._seats[handle]
        self._match_queue.unpark()

    def choose(self, choice: v1.Choice, *, at: float) -> None:
        """Take in a choice that arrived at this time."""
        verdict = self._link.judge(choice)
        if verdict is Verdict.OPEN:
            self._seats[choice.match_handle].answered(choice.answer, at=at)
        else:
            self._bear_with(choice, verdict, wait_seconds=self.flood.count(at=at))

    def _bear_with(self, choice: v1.Choice, verdict: Verdict, *, wait_seconds: float) -> None:
        """Reply to a choice that answers no open decision."""
        if verdict is Verdict.PENDING:
            return
        if wait_seconds:
            self.send(too_many(choice, wait_seconds=wait_seconds))
        elif verdict is Verdict.REPEATED:
            self._seats[choice.match_handle].repeat_acceptance()
        else:
            self.send(_stale(choice, verdict))

    def send(self, body: ServerBody) -> Departure:
        """Send a message to the bot, if it is connected."""
        if self._connection is None:
            return Departure(trio.current_time())
        return self._connection.send(self._link.send(body))

    def put(self, handle: int, decision: Decision) -> Departure:
        """Put a decision of the match with this handle to the bot, if it is connected."""
        if self._connection is None:
            return Departure(trio.current_time())
        return self._connection.send(self._link.send_decision(handle, decision.number, decision.serialized))

    def say_goodbye(self, sentence: str, *, status: Status = Status.OK, fault: v1.Fault = v1.FAULT_UNSPECIFIED) -> None:
        """End the session in an orderly way, if the bot is connected."""
        if self._connection is not None:
            self.send(v1.Goodbye(sentence=sentence, fault=fault))
            self._connection.close(status, sentence)
            self.disconnect()

    async def room(self) -> None:
        """Return when one more decision may be open at the bot; it counts as open from then on."""
        while self.connected and self._open_decisions >= self.identity.max_open_decisions:
            await self._queue.park()
        self._open_decisions += 1

    def free_room(self) -> None:
        """Note that a decision is not open any more."""
        self._open_decisions -= 1
        if self._queue:
            self._queue.unpark()


def _stale(choice: v1.Choice, verdict: Verdict) -> v1.Refused:
    if verdict is Verdict.LATE:
        fault, sentence = v1.FAULT_TOO_LATE, "the decision was closed before this answer came"
    else:
        fault, sentence = v1.FAULT_STALE, "there is no such decision at this bot"
    return v1.Refused(match_handle=choice.match_handle, number=choice.number, fault=fault, sentence=sentence)


@dataclass(slots=True, eq=False)
class BotSeat:
    """A bot's seat in one match: what a match sees of the bot. See ``match.Player``."""

    bot: Bot
    handle: int
    _begun: bool = False
    _start: v1.MatchStart = field(default_factory=v1.MatchStart)
    _number: int = 0
    """The number of the last decision."""
    _lost: trio.Event = field(default_factory=trio.Event)
    """The loss of the connection that the last decision was put on."""
    _departure: Departure = field(default_factory=lambda: Departure(0.0))
    _reply: Reply | None = None
    _asked: bool = False
    _accepted: v1.Accepted = field(default_factory=v1.Accepted)
    _seconds: float = 0.0
    """The time from the departure that the bot has for the open decision."""
    _waiting: trio.lowlevel.Task | None = None
    """The match, while it waits for a reply."""

    def begin(self, start: v1.MatchStart) -> None:
        """Tell that the match begins."""
        start.match_handle = self.handle
        self._start = start
        self._begun = True
        self.bot.send(start)

    def resume(self) -> None:
        """Tell a bot that came back that the match goes on. Its next decision is complete like each."""
        if self._begun:
            # If a decision was open it is closed now, by the break of the connection.
            self._start.last_decision = self._number
            self.bot.send(self._start)

    async def ask(self, decision: Decision, *, seconds: float) -> Reply:
        """Put a question as soon as the bot has room for it, and return what came of it."""
        await self.bot.room()
        self._asked, self._reply = True, None
        self._number = decision.number
        if not self.bot.connected:
            await trio.lowlevel.checkpoint()
            return _NOT_CONNECTED
        self._lost = self.bot.lost
        self._departure = self.bot.put(self.handle, decision)
        return await self._wait(seconds)

    async def ask_again(self, refused: v1.Refused, *, seconds: float) -> Reply:
        """Tell that an answer was not taken, and return what came of the question then."""
        if self._lost.is_set():
            # Even if the bot is back by now: the decision was closed when the connection that it was put on broke.
            await trio.lowlevel.checkpoint()
            return self._disconnected()
        refused.match_handle = self.handle
        self._reply = None
        self.bot.send(refused)
        return await self._wait(seconds + trio.current_time() - self._departure.at)

    async def _wait(self, seconds: float) -> Reply:
        """Return the reply, or, when this much time has passed since the departure, that it is too late."""
        self._seconds = seconds
        if self._reply is None:
            self._waiting = trio.lowlevel.current_task()
            self.bot.deadlines.add(self)
            # Waiting is done by hand, since an Event for each decision would cost more than the rules do.
            await trio.lowlevel.wait_task_rescheduled(self._stop_waiting)
        reply = self._reply
        assert reply is not None
        if reply.answer is not None and reply.elapsed > seconds:
            return Reply(None, seconds, v1.FAULT_TOO_LATE)
        return reply

    def _stop_waiting(self, _raise_cancel: object) -> trio.lowlevel.Abort:
        self._waiting = None
        self.bot.deadlines.discard(self)
        return trio.lowlevel.Abort.SUCCEEDED

    def _settle(self, reply: Reply) -> None:
        """Give the match the reply that it waits for, or will wait for."""
        self._reply = reply
        if self._waiting is not None:
            self.bot.deadlines.discard(self)
            trio.lowlevel.reschedule(self._waiting)
            self._waiting = None

    @property
    def deadline(self) -> float:
        """When it is too late for an answer. The departure is corrected when the frame is really written."""
        return self._departure.at + self._seconds + _HANDING_OVER_SECONDS

    def expire(self) -> None:
        """Note that it is too late for an answer."""
        self._settle(Reply(None, self._seconds, v1.FAULT_TOO_LATE))

    def answered(self, answer: v1.Answer, *, at: float) -> None:
        """Take in an answer to the open decision."""
        # An answer can be older than the question: a bot may have guessed that it would be asked.
        self._settle(Reply(answer, max(0.0, at - self._departure.at)))

    def break_off(self) -> None:
        """Note that the connection is gone."""
        if self._asked and self._reply is None:
            self._settle(self._disconnected())

    def _disconnected(self) -> Reply:
        return Reply(None, max(0.0, trio.current_time() - self._departure.at), v1.FAULT_DISCONNECTED)

    def accept(self, accepted: v1.Accepted) -> None:
        """Tell that the decision is closed."""
        accepted.match_handle = self.handle
        self._accepted = accepted
        self.bot.send(self._accepted)
        self._close()

    def _close(self) -> None:
        """Note that no decision is open any more."""
        if self._asked:
            self._asked = False
            self.bot.free_room()

    def repeat_acceptance(self) -> None:
        """Tell again that the last decision is closed."""
        self.bot.send(self._accepted)

    def abandon(self) -> None:
        """Give the seat back, if the match did not come to its end; the match is void then."""
        if self.bot.has_seat(self.handle):
            self.end(v1.MatchEnd())

    def end(self, end: v1.MatchEnd) -> None:
        """Tell that the match is over, and give the seat back."""
        end.match_handle = self.handle
        if self._begun:
            self.bot.send(end)
        self._close()
        self.bot.leave_seat(self.handle)
