"""A bot that is connected, or may come back, and its seats."""

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
    """The name, owner and capacities of a bot."""

    name: str
    version: str
    build: str
    nonce: bytes
    games: frozenset[str]
    """The games that it plays."""
    max_open_decisions: int
    """Maximum number of decisions open at it at once."""
    max_matches: int
    """Maximum number of matches that it plays at once."""
    matches_in_all: int = 0
    """Number of matches of its session after which it retires; 0 for no limit."""
    owner: str = ""
    """The key that limits are counted by: an account or an address; empty if neither is known."""
    account: str = ""
    """The account that it belongs to; empty if none is known."""
    sdk: str = ""
    """The SDK that it reports; empty if it reports none."""


class Session(NamedTuple):
    """The data to resume a session by. Of the token only the digest is stored."""

    id: str = ""
    token_digest: bytes = b""
    """The digest of the token; empty for a session that cannot be resumed."""
    last_handle: int = 0
    """The last match handle used before a restart, and so the number of matches that the bot had begun."""


NO_SESSION: Final = Session()
"""The session of a bot that cannot come back."""


def _nothing_to_do(_bot: "Bot") -> None:
    """Do nothing."""


class Bot:
    """A bot across all of its connections. Its methods are called in trio's thread."""

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
            identity: its name, owner and capacities.
            clock: the clock that it is charged by.
            session: its session.
            telemetry: receives what happens to it; ``None`` to drop that.
            done: is called once it has retired, plays no match and is connected, so that it can get a Goodbye.
        """
        self.identity = identity
        self.session = session
        telemetry = telemetry or Telemetry()
        self.telemetry = telemetry.bot(
            session_id=session.id, name=identity.name, version=identity.version, account=identity.account
        )
        """The telemetry of the bot."""
        deadlines = DeadlineQueue(clock, telemetry)
        self.channel = BotChannel(clock, deadlines, self.telemetry, max_open_decisions=identity.max_open_decisions)
        """The channel to it."""
        self.flood = FloodGuard()
        """The rate limit for messages that answer no open decision."""
        self._seats: dict[int, BotSeat] = {}
        self._last_handle = session.last_handle
        self._begun = session.last_handle
        """Number of matches that it has begun in its session."""
        self._has_said_retire = False
        self._done = done
        self.at_change: Callable[[Bot], None] = _nothing_to_do
        """Called when ``has_room`` may have changed for any other reason than taking a seat."""
        self._wants_seat = trio.lowlevel.ParkingLot()
        self._wants_it_idle = trio.lowlevel.ParkingLot()

    @property
    def connected(self) -> bool:
        """True while it is connected."""
        return self.channel.connected

    @property
    def loss(self) -> Loss | None:
        """The reason why it does not come back; ``None`` while it is connected or may come back."""
        return self.channel.loss

    @property
    def retired(self) -> bool:
        """True once it takes no more seats: it has said so, or has begun all of ``matches_in_all``."""
        limit = self.identity.matches_in_all
        return self._has_said_retire or 0 < limit <= self._begun

    @property
    def has_retired_in_order(self) -> bool:
        """True if it has retired and had begun a match here, so that a new process may replace it."""
        return self.retired and self._begun > self.session.last_handle

    @property
    def has_room(self) -> bool:
        """True if it can take one more seat now."""
        return self.connected and not self.retired and self.matches < self.identity.max_matches

    @property
    def matches(self) -> int:
        """Number of matches that it is playing."""
        return len(self._seats)

    def connect(self, connection: Connection, protocol: ServerConnection) -> None:
        """Go on over a connection that was just welcomed, with the running matches.

        An earlier connection that is still open is closed as superseded.
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
        """Return True if the token resumes its session."""
        return hmac.compare_digest(self.session.token_digest, fingerprint(token))

    def knows(self, matches: Iterable[v1.KnownMatch]) -> None:
        """Note the last decision of each match that the bot reports to know."""
        known = {match.match_handle: match.last_decision for match in matches}
        for handle, seat in self._seats.items():
            seat.known_decision = known.get(handle, 0)

    def give_up(self, fault: v1.Fault, sentence: str) -> None:
        """Note that it does not come back: it forfeits its running matches."""
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
        """Give back a seat of a match that did not begin. The bot was not notified of it."""
        self._begun -= 1
        seat.abandon("the match did not begin")

    def take_seat_again(self, handle: int) -> BotSeat:
        """Return a seat in a match that goes on after a restart, under the handle from before."""
        seat = self._seats[handle] = BotSeat(self.channel, handle, self._leave_seat)
        return seat

    async def seat_when_free(self) -> BotSeat | None:
        """Wait until the bot has room for one more match and return a seat; ``None`` if it is lost before."""
        while self.loss is None and not self.has_room:
            await self._wants_seat.park()
        return self.take_seat() if self.loss is None else None

    @property
    def plays(self) -> bool:
        """True while it plays a match."""
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
        """Note that it takes no more seats. Its running matches are played to the end."""
        if not self._has_said_retire:
            self.telemetry.retires()
        self._has_said_retire = True
        self.at_change(self)
        self.leave_if_done()

    def leave_if_done(self) -> None:
        """Call ``done`` if it has retired, plays no match and is connected."""
        if self.retired and self.connected and self.loss is None and not self._seats:
            self._done(self)

    def choose(self, choice: ReceivedChoice, *, at: float) -> None:
        """Process a choice that arrived at this time, in seconds of the referee's clock."""
        seat = self._seats.get(choice.match_handle)
        verdict = UNKNOWN if seat is None else seat.choose(choice, at=at)
        if verdict is not OPEN:
            self._bear_with(choice, verdict, wait_seconds=self.flood.count(at=at))

    def _bear_with(self, choice: ReceivedChoice, verdict: Verdict, *, wait_seconds: float) -> None:
        """Reply to a choice that answers no open decision."""
        if verdict is PENDING:
            return
        if wait_seconds:
            self.telemetry.stale()
            self.channel.send(too_many(choice, wait_seconds=wait_seconds))
        elif verdict is REPEATED:
            self._seats[choice.match_handle].repeat_acceptance()
        else:
            self.telemetry.stale()
            self.channel.send(_stale(choice, verdict, self._seats.get(choice.match_handle)))

    def say_goodbye(self, sentence: str, *, status: Status = Status.OK, fault: v1.Fault = v1.FAULT_UNSPECIFIED) -> None:
        """Send a Goodbye and close the connection, if the bot is connected."""
        if self.channel.connected:
            self.channel.send(v1.Goodbye(sentence=sentence, fault=fault))
            self.channel.end(Ending.DISMISSED, status, sentence)
            self.disconnect()

    def suspend(self, sentence: str) -> None:
        """Close the connection, if there is one, as unavailable, so that the bot comes back after the restart.

        Its matches stay as they are; the caller has to make sure that they do not go on in this process.
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
