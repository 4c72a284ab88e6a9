"""A bot that is connected, or was and may come back, and the seats that it has."""

import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.bot_channel import BotChannel, Loss
from ordago.arena.connection import Connection, Status
from ordago.arena.deadline_queue import DeadlineQueue
from ordago.arena.flood import FloodGuard, too_many
from ordago.arena.referee_clock import RefereeClock
from ordago.arena.seat import BotSeat
from ordago.arena.verdict import LATE, OPEN, PENDING, REPEATED, UNKNOWN, Verdict
from ordago.fingerprint import fingerprint
from ordago.protocol import ReceivedChoice, ServerConnection
from ordago.telemetry.telemetry import Ending, Telemetry


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
    matches_in_all: int = 0
    """After how many matches of its session it retires; 0: there is no such number."""
    owner: str = ""
    """Whose it is, among all who have bots here: an account, or an address; empty where neither is known."""
    account: str = ""
    """The account that it belongs to; empty where none is known."""
    sdk: str = ""
    """The library that it was built with, as it says itself; empty where it does not."""


class Session(NamedTuple):
    """What a bot takes up its session by. The token that it needs for that is not kept."""

    id: str = ""
    token_digest: bytes = b""
    """The digest of the token; empty where there is no coming back."""
    last_handle: int = 0
    """The greatest match handle that was used in the session before; so many matches it has begun."""


NO_SESSION: Final = Session()
"""That of a bot that cannot come back."""


def _nothing_to_do(_bot: "Bot") -> None:
    """Do nothing."""


class Bot:
    """A bot over all of its connections. Its methods are called in trio's thread."""

    def __init__(
        self,
        identity: Identity,
        clock: RefereeClock,
        session: Session = NO_SESSION,
        *,
        telemetry: Telemetry | None = None,
        done: Callable[["Bot"], None] = _nothing_to_do,
    ) -> None:
        """Make a bot that is not connected yet.

        Args:
            identity: who it is, and what it takes on.
            clock: the clock that it is charged by.
            session: what it is resumed by.
            telemetry: where it is told what becomes of it; nowhere if ``None``.
            done: is called when it has retired, plays nothing, and is there to be told so.
        """
        self.identity = identity
        self.session = session
        telemetry = telemetry or Telemetry()
        self.told = telemetry.bot(session_id=session.id, name=identity.name, version=identity.version)
        """Where it is told what becomes of it."""
        deadlines = DeadlineQueue(clock, telemetry)
        self.channel = BotChannel(clock, deadlines, self.told, max_open_decisions=identity.max_open_decisions)
        """The way to it."""
        self.flood = FloodGuard()
        """Counts what it sends that answers no open decision."""
        self._seats: dict[int, BotSeat] = {}
        self._last_handle = session.last_handle
        self._begun = session.last_handle
        """How many matches it has begun in its session."""
        self._has_said_retire = False
        self._done = done
        self.at_change: Callable[[Bot], None] = _nothing_to_do
        """Called when it may have room that it had not, or have none any more, but for the seats that it takes."""
        self._wants_seat = trio.lowlevel.ParkingLot()
        self._wants_it_idle = trio.lowlevel.ParkingLot()

    @property
    def connected(self) -> bool:
        """Whether it is there."""
        return self.channel.connected

    @property
    def loss(self) -> Loss | None:
        """Why it does not come back; ``None`` while it is there or may come back."""
        return self.channel.loss

    @property
    def retired(self) -> bool:
        """Whether it takes no more seats, by its own word."""
        limit = self.identity.matches_in_all
        return self._has_said_retire or 0 < limit <= self._begun

    @property
    def has_retired_in_order(self) -> bool:
        """Whether it has retired after it had begun a match, so that a new process may go on in its place."""
        return self.retired and self._begun > self.session.last_handle

    @property
    def has_room(self) -> bool:
        """Whether it would take one more seat now."""
        return self.connected and not self.retired and self.matches < self.identity.max_matches

    @property
    def matches(self) -> int:
        """The number of matches that it plays now."""
        return len(self._seats)

    def connect(self, connection: Connection, protocol: ServerConnection) -> None:
        """Take up a connection whose link has just been welcomed, and go on with the matches that run.

        A connection that it had before is superseded.
        """
        if self.channel.connected:
            self.channel.end(Ending.SUPERSEDED, Status.ABORTED, "another connection took over this session")
            self._interrupt()
        self.channel.take_up(connection, protocol)
        for seat in list(self._seats.values()):
            seat.resume()
        self._wants_seat.unpark_all()

    def disconnect(self) -> None:
        """Note that its connection is gone. It may come back."""
        self._interrupt()
        for seat in list(self._seats.values()):
            seat.wait_for_the_bot()

    def _interrupt(self) -> None:
        self.channel.cut()
        for seat in self._seats.values():
            seat.interrupt()
        self.at_change(self)

    def is_resumed_by(self, token: str) -> bool:
        """Say whether a token resumes its session."""
        return hmac.compare_digest(self.session.token_digest, fingerprint(token))

    def knows(self, matches: Iterable[v1.KnownMatch]) -> None:
        """Note how far it has come in its matches, by what it says."""
        known = {match.match_handle: match.last_decision for match in matches}
        for handle, seat in self._seats.items():
            seat.known_decision = known.get(handle, 0)

    def give_up(self, fault: v1.Fault, sentence: str) -> None:
        """Note that it does not come back: it forfeits the matches that it plays."""
        if self.loss is not None:
            return
        self.channel.lose(Loss(fault, sentence))
        self._wants_seat.unpark_all()
        for seat in list(self._seats.values()):
            seat.give_up(fault, sentence)

    def take_seat(self) -> BotSeat:
        """Return a new seat for this bot, to be handed to a match."""
        self._last_handle += 1
        self._begun += 1
        return self.take_seat_again(self._last_handle)

    def give_back(self, seat: BotSeat) -> None:
        """Give back a seat of a match that did not begin: the bot was told nothing of it."""
        self._begun -= 1
        seat.abandon("the match did not begin")

    def take_seat_again(self, handle: int) -> BotSeat:
        """Return a seat in a match that goes on after a restart, by the handle that it had before."""
        seat = self._seats[handle] = BotSeat(self.channel, handle, self._leave_seat)
        return seat

    async def seat_when_free(self) -> BotSeat | None:
        """Return a new seat as soon as the bot has room for one more match, or ``None`` if it is lost before that."""
        while self.loss is None and not self.has_room:
            await self._wants_seat.park()
        return self.take_seat() if self.loss is None else None

    @property
    def plays(self) -> bool:
        """Whether it plays a match now."""
        return bool(self._seats)

    async def idle(self) -> None:
        """Wait until it plays no match."""
        while self._seats:
            await self._wants_it_idle.park()

    def _leave_seat(self, handle: int) -> None:
        """Forget a seat whose match is over."""
        del self._seats[handle]
        self._wants_seat.unpark()
        self.at_change(self)
        if not self._seats:
            self._wants_it_idle.unpark_all()
            self.leave_if_done()

    def retire(self) -> None:
        """Note that it takes no more seats. What it plays is played to the end."""
        if not self._has_said_retire:
            self.told.retires()
        self._has_said_retire = True
        self.at_change(self)
        self.leave_if_done()

    def leave_if_done(self) -> None:
        """Let it go if it has retired, plays nothing, and is there to be told so."""
        if self.retired and self.connected and self.loss is None and not self._seats:
            self._done(self)

    def choose(self, choice: ReceivedChoice, *, at: float) -> None:
        """Take in a choice that arrived at this time."""
        seat = self._seats.get(choice.match_handle)
        verdict = UNKNOWN if seat is None else seat.choose(choice, at=at)
        if verdict is not OPEN:
            self._bear_with(choice, verdict, wait_seconds=self.flood.count(at=at))

    def _bear_with(self, choice: ReceivedChoice, verdict: Verdict, *, wait_seconds: float) -> None:
        """Reply to a choice that answers no open decision."""
        if verdict is PENDING:
            return
        if wait_seconds:
            self.told.stale()
            self.channel.send(too_many(choice, wait_seconds=wait_seconds))
        elif verdict is REPEATED:
            self._seats[choice.match_handle].repeat_acceptance()
        else:
            self.told.stale()
            self.channel.send(_stale(choice, verdict, self._seats.get(choice.match_handle)))

    def say_goodbye(self, sentence: str, *, status: Status = Status.OK, fault: v1.Fault = v1.FAULT_UNSPECIFIED) -> None:
        """End the session in an orderly way, if the bot is connected."""
        if self.channel.connected:
            self.channel.send(v1.Goodbye(sentence=sentence, fault=fault))
            self.channel.end(Ending.DISMISSED, status, sentence)
            self.disconnect()

    def suspend(self, sentence: str) -> None:
        """End the connection, if there is one, so that the bot comes back when the server is there again.

        Its matches are left as they are: whoever calls this sees to it that they do not go on here.
        """
        if self.channel.connected:
            self.channel.close(Status.UNAVAILABLE, sentence)
            self._interrupt()


def _not_asked(choice: ReceivedChoice, seat: BotSeat | None) -> str:
    if seat is None:
        return f"this bot plays no match with the handle {choice.match_handle}"
    last = seat.last_decision
    known = f"the last one that was put to it there has the number {last}" if last else "none was put to it there yet"
    return f"the bot has no decision {choice.number} in the match with the handle {choice.match_handle}; {known}"


def _stale(choice: ReceivedChoice, verdict: Verdict, seat: BotSeat | None) -> v1.Refused:
    if verdict is LATE:
        fault, sentence = v1.FAULT_TOO_LATE, "the decision was closed before this answer came"
    else:
        fault, sentence = v1.FAULT_STALE, _not_asked(choice, seat)
    return v1.Refused(match_handle=choice.match_handle, number=choice.number, fault=fault, sentence=sentence)
