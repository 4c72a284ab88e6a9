"""State machine of a bot process, without I/O: frames of the server in, frames for the server out.

It also decides between reconnecting and giving up when a connection is lost. It does not call bots that think in other
threads or tasks: its driver takes the questions for them from ``questions``, and returns the answers to ``answer``.
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE, BotBody, BotConnection, ConnectionState
from ordago.version import __version__
from ordago_bot import events
from ordago_bot.asked import Asked
from ordago_bot.back_off import EXIT_OK, EXIT_SESSION_ENDED, PATIENCE_SECONDS, BackOff, End, Over, Pause
from ordago_bot.bot import BotFactory
from ordago_bot.log import is_verbose
from ordago_bot.receipts import Keep, Receipts
from ordago_bot.seat import Failure, Question, Reply, Seat, Step, Thought, stop
from ordago_bot.summary import Summary, Tally

CONTRACT_VERSION: Final = 1
_NONCE_BYTES: Final = 16
"""The fewest that the contract allows (16 to 64): 128 bits are too many to guess."""
_MS_PER_SECOND: Final = 1000
_COME_BACK: Final = frozenset({"OK", "UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED"})
"""The statuses with which gRPC libraries report a broken connection."""
_NOT_LET_IN: Final = frozenset({"UNAUTHENTICATED", "PERMISSION_DENIED"})


class Player:
    """One bot process, over all its connections."""

    def __init__(
        self,
        factory: BotFactory,
        *,
        name: str,
        version: str = "",
        games: Sequence[str] = (),
        nonce: bytes = b"",
        max_open_decisions: int = 0,
        max_matches: int = 0,
        matches_in_all: int = 0,
        stops_on_error: bool = True,
        clock: Callable[[], float] = time.monotonic,
        keep: Keep | None = None,
        on_asked: Callable[[Asked], None] | None = None,
    ) -> None:
        """Prepare to play.

        Args:
            factory: makes the bot for each seat.
            name: the name of the bot, used unless the server knows one for its token.
            version: the version of the bot.
            games: the games that it plays; empty for all that the server offers.
            nonce: 16 to 64 bytes that are mixed into the deals; empty for random ones.
            max_open_decisions: the most decisions at once; 0 for the server's limit.
            max_matches: the most matches at once; 0 for the server's limit.
            matches_in_all: the number of matches after which it retires; 0 for never.
            stops_on_error: True to raise what a bot raises; False to take default answers instead.
            clock: returns a monotonic time in seconds, to measure thinking times.
            keep: a function that stores receipts of the event; ``None`` for no receipts.
            on_asked: is told each time that a bot was asked; ``None`` for nobody.
        """
        self._factory = factory
        self._stops_on_error = stops_on_error
        self._on_asked = on_asked
        self._tally = Tally()
        self._clock = clock
        self._receipts = Receipts(keep) if keep is not None else None
        self._hello = v1.Hello(
            min_version=CONTRACT_VERSION,
            max_version=CONTRACT_VERSION,
            sdk=v1.Software(name="ordago_bot python", version=__version__),
            bot=v1.Software(name=name, version=version),
            nonce=nonce or secrets.token_bytes(_NONCE_BYTES),
            games=games,
            max_open_decisions=max_open_decisions,
            max_matches=max_matches,
            matches_in_all=matches_in_all,
            # With all messages logged, the log should have the cost of each answer, so acceptances must be sent.
            capabilities=[] if is_verbose() else [TACIT_ACCEPTANCE],
        )
        self._connection = BotConnection()
        self._seats: dict[int, Seat] = {}
        self._questions: list[Question] = []
        self._begun = 0
        self._event = events.EventCount()
        self._has_said_retire = False
        self._has_left = False
        self._is_heard = False
        """True once anything came on this connection."""
        self._goodbye: v1.Goodbye | None = None
        """The goodbye of the server, if it came."""
        self._resume_window_seconds = 0.0
        """Seconds for which the session can be resumed after its connection broke; 0 without a session."""
        self._back_off = BackOff()
        self.retiring = False
        """True once the bot takes no more seats, by order or by its own ``retire``."""

    @property
    def keeps_receipts(self) -> bool:
        """True if ``learn`` has to be called before each connection."""
        return self._receipts is not None

    def summary(self) -> Summary:
        """Return the results and faults so far."""
        return self._tally.summary()

    def learn(self, described: v1.DescribeEventResponse) -> None:
        """Store a receipt of the server's event, before a connection begins. There may be no event."""
        if self._receipts is not None:
            self._receipts.describe(described, nonce=self._hello.nonce)

    def connect(self) -> bytes:
        """Begin a connection and return its first frame, which resumes the session before, if any."""
        self._disconnect()
        if self._resumes:
            del self._hello.resume.matches[:]
            self._hello.resume.matches.extend(self._known_matches())
        return self._send(self._hello)

    def _disconnect(self) -> None:
        self._connection = BotConnection()
        self._has_said_retire = self._is_heard = False
        for seat in self._seats.values():
            seat.disconnect()

    @property
    def _resumes(self) -> bool:
        """True if there is a session to resume."""
        return self._hello.HasField("resume")

    def _known_matches(self) -> Iterator[v1.KnownMatch]:
        for handle, seat in sorted(self._seats.items()):
            yield v1.KnownMatch(match_handle=handle, last_decision=seat.number)

    def retire(self) -> bytes:
        """Take no more seats. Return the frame that says so, once for each connection; empty if it cannot be sent."""
        self.retiring = True
        return self._retirement()

    def _retirement(self) -> bytes:
        if not self.retiring or self._has_said_retire or not self._is_open:
            return b""
        self._has_said_retire = True
        return self._send(v1.Retire())

    def leave(self) -> bytes:
        """Return the frame that ends the session; empty if none is open. All later messages are ignored."""
        frame = self._send(v1.Goodbye(sentence="the bot was told to stop")) if self._is_open else b""
        self._has_left = True
        self._forget_seats()
        return frame

    @property
    def _is_open(self) -> bool:
        return self._connection.state in (ConnectionState.OPEN, ConnectionState.DRAINING)

    def receive(self, frame: bytes, *, arrived_seconds: float | None = None) -> bytes:
        """Process a frame and return the frame to send back; possibly empty.

        Args:
            frame: the frame.
            arrived_seconds: the time of arrival, by the clock of the player; ``None`` for the current time.

        Raises:
            RemoteProtocolError: the server broke the contract.
        """
        self._is_heard = True
        messages = () if self._has_left else self._connection.receive(frame)
        arrived = self._clock() if arrived_seconds is None else arrived_seconds
        return self._frame_of([self._take(message, arrived) for message in messages])

    def questions(self) -> Sequence[Question]:
        """Return the new questions for bots that think elsewhere, once each."""
        questions, self._questions = self._questions, []
        return questions

    def answer(self, thoughts: Iterable[tuple[Question, Thought]]) -> bytes:
        """Take answers of bots that thought elsewhere, and return the frame to send; possibly empty.

        Each question has to be answered at some time, with ``None`` if it was closed and the bot was cancelled. Without
        a connection the answers are stored until their decisions come again.
        """
        taken = []
        for question, thought in thoughts:
            taken.append(question.seat.answer(thought))
            self.retiring |= question.bot.retiring
        return self._frame_of(taken)

    def _frame_of(self, steps: Iterable[Step]) -> bytes:
        """Return a frame with all replies, and store the questions."""
        # All answers to a frame are sent together, so their thinking times all end with the last one.
        sent = self._clock()
        frames = []
        for step in steps:
            if isinstance(step, Reply):
                choice = step.sent(sent)
                self._tally.answered(choice, match_id=step.match_id)
                frames.append(self._send(choice))
            elif step is not None:
                self._questions.append(step)
        frames.append(self._retirement())
        return b"".join(frames)

    def lost(
        self,
        end: End,
        *,
        address: str = "its address",
        patience_seconds: float = PATIENCE_SECONDS,
        jitter: float = 0.0,
    ) -> Pause | Over:
        """Return the next step after a lost connection: a pause before the next attempt, or the end.

        Args:
            end: the end of the connection.
            address: the address of the server, for messages.
            patience_seconds: seconds of failed attempts before giving up; longer if the session can be resumed longer.
            jitter: a random number from 0 to 1, by which the pause varies.
        """
        was_heard, has_gone_down = self._is_heard, self._connection.state is ConnectionState.DRAINING
        self._disconnect()
        if was_heard:
            self._back_off.begin_anew()
        if self._goodbye is not None:
            return self._dismissed(self._goodbye, end, address, jitter=jitter)
        if end.status in _NOT_LET_IN:
            if was_heard or not self._resumes:
                return _shut_out(end, address)
            if self._needs_no_session():
                return Over(EXIT_OK, events.goodbye(end.reason))
            # The server answers, but has forgotten the session.
            self._begin_session()
        elif end.retry_after_ms:
            seconds = self._back_off.asked_for(end.retry_after_ms, jitter=jitter)
            return _pause(seconds, end, has_gone_down=has_gone_down)
        elif end.status not in _COME_BACK:
            return _shut_out(end, address)
        patience = max(patience_seconds, self._resume_window_seconds)
        pause = self._back_off.next(now=self._clock(), patience_seconds=patience, jitter=jitter)
        if pause is None:
            return Over(EXIT_SESSION_ENDED, events.unreachable(address, end.reason))
        return _pause(pause, end, has_gone_down=has_gone_down)

    def _dismissed(self, goodbye: v1.Goodbye, end: End, address: str, *, jitter: float) -> Pause | Over:
        for_now = goodbye.retry_after_ms and not goodbye.fault
        if not for_now and end.status not in _COME_BACK:
            # A status that names an error outweighs the goodbye before it.
            return _shut_out(end._replace(sentence=goodbye.sentence), address)
        if not for_now or self._needs_no_session():
            return Over(EXIT_OK, events.goodbye(goodbye.sentence))
        self._begin_session()
        seconds = self._back_off.asked_for(goodbye.retry_after_ms, jitter=jitter)
        return Pause(seconds, events.goodbye_for_now(goodbye.sentence, seconds))

    def _needs_no_session(self) -> bool:
        """Return True if the bot needs no new session, since it retires or has begun all matches that it wanted."""
        return self.retiring or 0 < self._hello.matches_in_all <= self._begun

    def _begin_session(self) -> None:
        """Forget the session, so that the next connection begins a new one."""
        self._goodbye = None
        self._hello.ClearField("resume")
        self._resume_window_seconds = 0.0
        self._back_off.begin_anew()
        self._forget_seats()
        self._hello.matches_in_all = max(0, self._hello.matches_in_all - self._begun)
        self._begun = 0

    def _forget_seats(self) -> None:
        for seat in self._seats.values():
            seat.drop()
        self._seats.clear()

    def _take(self, message: v1.ServerMessage, arrived: float) -> Step:
        if is_verbose():
            events.came(message).log()
        kind = message.WhichOneof("body")
        if kind == "decision":
            return self._decide(message.decision, arrived)
        if kind == "refused":
            return self._refused(message.refused, arrived)
        if kind == "accepted":
            self._accepted(message.accepted)
        elif kind == "match_start":
            self._begin(message.match_start)
        elif kind == "match_end":
            self._end(message.match_end)
        elif kind == "forfeited":
            self._forfeited(message.forfeited)
        else:
            self._take_of_session(message)
        return None

    def _take_of_session(self, message: v1.ServerMessage) -> None:
        kind = message.WhichOneof("body")
        if kind == "welcome":
            self._welcomed(message.welcome)
        elif kind == "draining":
            events.draining(message.draining.sentence).log()
        elif kind == "event_notice":
            self._event.learn(message.event_notice)
            events.event_notice(message.event_notice.sentence).log()
        elif kind == "announcement":
            events.announcement(message.announcement.sentence).log()
        elif kind == "goodbye":
            self._goodbye = message.goodbye

    def _welcomed(self, welcome: v1.Welcome) -> None:
        events.welcomed(welcome).log()
        if not welcome.resumed:
            self._forget_seats()
        self._hello.resume.session_id = welcome.session_id
        self._hello.resume.resume_token = welcome.resume_token
        self._resume_window_seconds = welcome.limits.resume_window_ms / _MS_PER_SECOND

    def _begin(self, start: v1.MatchStart) -> None:
        # After a resume, a match that continues keeps its bot object, with all its state.
        seat = self._seats.get(start.match_handle)
        if seat is None or not seat.carries_on(start):
            self._event.begin()
            events.match_begins(start, self._event).log()
            self._begun += seat is None
            if seat is not None:
                seat.drop()
            self._seats[start.match_handle] = Seat(
                start, self._factory, on_failure=self._failed, on_asked=self._on_asked, clock=self._clock
            )
            if self._receipts is not None:
                self._receipts.begin(start)
        else:
            events.match_goes_on(start).log()

    def _decide(self, decision: v1.Decision, arrived: float) -> Step:
        seat = self._seats[decision.match_handle]
        step = seat.decide(decision, seconds=arrived)
        self.retiring |= seat.bot.retiring
        return step

    def _refused(self, refused: v1.Refused, arrived: float) -> Step:
        seat = self._seats.get(refused.match_handle)
        self._tally.refuse(refused)
        # A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
        if seat is None or seat.is_first_refusal(events.cause_of(refused)):
            events.refused(refused, match_id="" if seat is None else seat.start.match_id).log()
        return None if seat is None else seat.decide_again(refused, seconds=arrived)

    def _accepted(self, accepted: v1.Accepted) -> None:
        seat = self._seats.get(accepted.match_handle)
        if seat is None or not seat.close(accepted.number):
            return
        if is_verbose():
            events.cost(accepted, match_id=seat.start.match_id).log()
        if accepted.fault:
            self._tally.take_default(accepted)
            events.default_taken(accepted, match_id=seat.start.match_id).log()

    def _forfeited(self, notice: v1.Forfeited) -> None:
        seat = self._seats[notice.match_handle]
        self._tally.forfeited += 1
        events.forfeited(notice, match_id=seat.start.match_id).log()
        seat.tell(notice)

    def _end(self, end: v1.MatchEnd) -> None:
        seat = self._seats.pop(end.match_handle)
        if self._receipts is not None:
            self._receipts.end(seat.start, end)
        self._tally.end(end, seat=seat.start.seat)
        events.match_ended(end, seat.start).log()
        seat.drop()
        seat.tell(end)
        self.retiring |= seat.bot.retiring

    def _send(self, body: BotBody) -> bytes:
        if is_verbose():
            events.went(body).log()
        return self._connection.send(body)

    def _failed(self, failure: Failure) -> None:
        """Log the failure of a bot, or raise it."""
        if self._stops_on_error:
            stop(failure)
        self._tally.failures += 1
        events.failed(failure).log()


def _pause(seconds: float, end: End, *, has_gone_down: bool) -> Pause:
    event = events.gone_down(seconds) if has_gone_down else events.connection_broke(end.reason, seconds)
    return Pause(seconds, event)


def _shut_out(end: End, address: str) -> Over:
    """Return the end for a status after which reconnecting is useless."""
    return Over(EXIT_SESSION_ENDED, events.session_ended(address, end.status, end.sentence))
