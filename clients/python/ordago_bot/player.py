"""Plays for a bot class, without I/O: frames of the server in, frames for the server out.

It says as well what becomes of a connection that is lost. Bots that think elsewhere it does not ask itself: whoever
drives it takes its questions, and brings the answers when they are there.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ordago import v1
from ordago.protocol import TACIT_ACCEPTANCE, BotBody, BotConnection, ConnectionState
from ordago.version import __version__
from ordago_bot.back_off import EXIT_OK, EXIT_SESSION_ENDED, PATIENCE_SECONDS, BackOff, End, Over, Pause
from ordago_bot.bot import BotFactory
from ordago_bot.receipts import Keep, Receipts
from ordago_bot.seat import Question, Reply, Seat, Step
from ordago_bot.words import EventCount, cost_words, default_words, end_words, fault_name, one_line

CONTRACT_VERSION: Final = 1
_NONCE_BYTES: Final = 16
"""As few as the contract allows, which is 16 to 64: nobody guesses 128 bits."""
_MS_PER_SECOND: Final = 1000
_COME_BACK: Final = frozenset({"OK", "UNAVAILABLE", "UNKNOWN", "INTERNAL", "CANCELLED"})
"""How a connection breaks, as libraries tell it."""
_NOT_LET_IN: Final = frozenset({"UNAUTHENTICATED", "PERMISSION_DENIED"})

_logger = logging.getLogger("ordago_bot")


class Player:
    """One process of a bot over all of its connections."""

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
        clock: Callable[[], float] = time.monotonic,
        keep: Keep | None = None,
    ) -> None:
        """Prepare to play.

        Args:
            factory: makes a bot for each seat.
            name: what the bot is called where the server does not know it by its token.
            version: the version of the bot.
            games: the games that it plays; none for all that the server offers.
            nonce: 16 to 64 random bytes that are mixed into the deals; none to let chance decide.
            max_open_decisions: how many decisions it takes at once; 0 for the server's limit.
            max_matches: how many matches it plays at once; 0 for the server's limit.
            matches_in_all: after how many matches it retires by itself; 0 for never.
            clock: tells the time in seconds, from any beginning; it measures how long the bot thinks.
            keep: is handed the receipts of what the server says of an event; ``None`` where nobody wants any.
        """
        self._factory = factory
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
            # Whoever is shown all that comes wants to see what each answer cost.
            capabilities=[] if _logger.isEnabledFor(logging.DEBUG) else [TACIT_ACCEPTANCE],
        )
        self._connection = BotConnection()
        self._seats: dict[int, Seat] = {}
        self._questions: list[Question] = []
        self._begun = 0
        self._event = EventCount()
        self._has_said_retire = False
        self._has_left = False
        self._is_heard = False
        """Whether anything came on this connection."""
        self._goodbye: v1.Goodbye | None = None
        """That of the server."""
        self._resume_window_seconds = 0.0
        """How long the session can be resumed after its connection broke; 0 without a session."""
        self._back_off = BackOff()
        self.retiring = False
        """Whether the bot takes no more seats, since it was told so."""

    @property
    def keeps_receipts(self) -> bool:
        """Whether it wants to learn, before each connection, which event the server plays."""
        return self._receipts is not None

    def learn(self, described: v1.DescribeEventResponse) -> None:
        """Learn which event the server plays, before a connection begins. It may be none."""
        if self._receipts is not None:
            self._receipts.describe(described, nonce=self._hello.nonce)

    def connect(self) -> bytes:
        """Begin a connection: return the first frame. It resumes the session that there was before, if any."""
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
        """Whether there is a session that can be resumed."""
        return self._hello.HasField("resume")

    def _known_matches(self) -> Iterator[v1.KnownMatch]:
        for handle, seat in sorted(self._seats.items()):
            yield v1.KnownMatch(match_handle=handle, last_decision=seat.number)

    def retire(self) -> bytes:
        """Take no more seats: return the frame that says so; nothing if that was said, or cannot be said now.

        It is said again on each connection that comes after this one.
        """
        self.retiring = True
        return self._retirement()

    def _retirement(self) -> bytes:
        if not self.retiring or self._has_said_retire or not self._is_open:
            return b""
        self._has_said_retire = True
        return self._send(v1.Retire())

    def leave(self) -> bytes:
        """Return the frame that ends the session; nothing if it is not open. From now on nothing is answered."""
        frame = self._send(v1.Goodbye(sentence="the bot was told to stop")) if self._is_open else b""
        self._has_left = True
        self._forget_seats()
        return frame

    @property
    def _is_open(self) -> bool:
        return self._connection.state in (ConnectionState.OPEN, ConnectionState.DRAINING)

    def receive(self, frame: bytes, *, arrived_seconds: float | None = None) -> bytes:
        """Take in a frame and return what there is to send back; possibly nothing.

        Args:
            frame: the frame.
            arrived_seconds: when it came, by the clock of the player; now if ``None``.

        Raises:
            RemoteProtocolError: the server broke the contract.
        """
        self._is_heard = True
        messages = () if self._has_left else self._connection.receive(frame)
        arrived = self._clock() if arrived_seconds is None else arrived_seconds
        return self._frame_of([self._take(message, arrived) for message in messages])

    def questions(self) -> Sequence[Question]:
        """Return what the bots have to think about that think elsewhere, once each."""
        questions, self._questions = self._questions, []
        return questions

    def answer(self, thoughts: Iterable[tuple[Question, v1.Answer | None]]) -> bytes:
        """Take the answers of bots that thought elsewhere, and return what there is to send.

        Each question is answered at some time, by ``None`` if the bot has given up since nobody waits any more. While
        there is no connection the answers are kept: the decisions come again.
        """
        taken = []
        for question, answer in thoughts:
            taken.append(question.seat.answer(answer))
            self.retiring |= question.bot.retiring
        return self._frame_of(taken)

    def _frame_of(self, steps: Iterable[Step]) -> bytes:
        """Return the frame with all replies, and keep the questions."""
        # All answers to a frame are sent together, so the time of each ends with the last.
        sent = self._clock()
        frames = []
        for step in steps:
            if isinstance(step, Reply):
                frames.append(self._send(step.sent(sent)))
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
        """Learn that the connection is lost, and say what becomes of that.

        Args:
            end: how it ended.
            address: where the server is, for people.
            patience_seconds: for how long it is tried in vain; longer where a session can be resumed for longer.
            jitter: chance, evenly from 0 to 1; the pauses are all of one length where it is 0.
        """
        was_heard = self._is_heard
        self._disconnect()
        if was_heard:
            self._back_off.begin_anew()
        if self._goodbye is not None:
            return self._dismissed(self._goodbye, end, address, jitter=jitter)
        if end.status in _NOT_LET_IN:
            if was_heard or not self._resumes:
                return _shut_out(end, address)
            if self._needs_no_session():
                return Over(EXIT_OK, end.reason)
            # The server is there, and does not know the session any more.
            self._begin_session()
        elif end.retry_after_ms:
            return self._back_off.told(end.retry_after_ms, jitter=jitter)
        elif end.status not in _COME_BACK:
            return _shut_out(end, address)
        patience = max(patience_seconds, self._resume_window_seconds)
        pause = self._back_off.next(now=self._clock(), patience_seconds=patience, jitter=jitter)
        return pause or Over(EXIT_SESSION_ENDED, f"no server answers at {address} ({end.reason})")

    def _dismissed(self, goodbye: v1.Goodbye, end: End, address: str, *, jitter: float) -> Pause | Over:
        for_now = goodbye.retry_after_ms and not goodbye.fault
        if not for_now and end.status not in _COME_BACK:
            # A status that says what was wrong counts for more than the words before it.
            return _shut_out(end._replace(sentence=goodbye.sentence), address)
        if not for_now or self._needs_no_session():
            return Over(EXIT_OK, goodbye.sentence)
        self._begin_session()
        return self._back_off.told(goodbye.retry_after_ms, jitter=jitter)

    def _needs_no_session(self) -> bool:
        """Say whether there is nothing to play in a new session: the bot retires, or has played all that it wanted."""
        return self.retiring or 0 < self._hello.matches_in_all <= self._begun

    def _begin_session(self) -> None:
        """Forget the session: the next connection begins another."""
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
        if _logger.isEnabledFor(logging.DEBUG):
            _logger.debug("came: %s", one_line(message))
        kind = message.WhichOneof("body")
        if kind == "decision":
            return self._decide(message.decision, arrived)
        if kind == "refused":
            return self._refused(message.refused)
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
            _logger.info("the server is going down: %s", message.draining.sentence)
        elif kind == "event_notice":
            self._event.learn(message.event_notice)
            _logger.info("event: %s", message.event_notice.sentence)
        elif kind == "goodbye":
            self._goodbye = message.goodbye

    def _welcomed(self, welcome: v1.Welcome) -> None:
        _logger.info("connected; games: %s", ", ".join(offered.game for offered in welcome.games))
        if not welcome.resumed:
            self._forget_seats()
        self._hello.resume.session_id = welcome.session_id
        self._hello.resume.resume_token = welcome.resume_token
        self._resume_window_seconds = welcome.limits.resume_window_ms / _MS_PER_SECOND

    def _begin(self, start: v1.MatchStart) -> None:
        # After a resume the bot of a match that goes on is kept, with all that it knows.
        seat = self._seats.get(start.match_handle)
        if seat is None or not seat.carries_on(start):
            _logger.info("match %s of %s begins, seat %d%s", start.match_id, start.game, start.seat, self._event.next())
            self._begun += seat is None
            if seat is not None:
                seat.drop()
            self._seats[start.match_handle] = Seat(start, self._factory)
            if self._receipts is not None:
                self._receipts.begin(start)

    def _decide(self, decision: v1.Decision, arrived: float) -> Step:
        seat = self._seats[decision.match_handle]
        step = seat.decide(decision, seconds=arrived)
        self.retiring |= seat.bot.retiring
        return step

    def _refused(self, refused: v1.Refused) -> Step:
        seat = self._seats.get(refused.match_handle)
        # The default answer may stand in for all answers of a match: its author has to hear of it, but not each time.
        cause = refused.rule or refused.field or fault_name(refused.fault)
        if seat is None or seat.is_first_refusal(cause):
            match = "a match that is over" if seat is None else f"match {seat.start.match_id}"
            _logger.warning("%s, decision %d: refused: %s (%s)", match, refused.number, refused.sentence, cause)
        return None if seat is None else seat.decide_again(refused)

    def _accepted(self, accepted: v1.Accepted) -> None:
        seat = self._seats.get(accepted.match_handle)
        if seat is None or not seat.close(accepted.number):
            return
        where = f"match {seat.start.match_id}, decision {accepted.number}"
        _logger.debug("%s: %s", where, cost_words(accepted))
        if accepted.fault:
            _logger.warning("%s: the default answer was taken: %s", where, default_words(accepted))

    def _forfeited(self, notice: v1.Forfeited) -> None:
        seat = self._seats[notice.match_handle]
        fault = fault_name(notice.fault)
        _logger.warning("match %s is forfeited: %s (%s)", seat.start.match_id, notice.sentence, fault)
        seat.tell(notice)

    def _end(self, end: v1.MatchEnd) -> None:
        seat = self._seats.pop(end.match_handle)
        if self._receipts is not None:
            self._receipts.end(seat.start, end)
        _logger.info("match %s ended: %s", seat.start.match_id, end_words(end, seat=seat.start.seat))
        seat.drop()
        seat.tell(end)
        self.retiring |= seat.bot.retiring

    def _send(self, body: BotBody) -> bytes:
        if _logger.isEnabledFor(logging.DEBUG):
            _logger.debug("went: %s", one_line(body))
        return self._connection.send(body)


def _shut_out(end: End, address: str) -> Over:
    """Return that it is of no use to come back."""
    return Over(EXIT_SESSION_ENDED, f"the server at {address} ended the session ({end.status}): {end.sentence}")
