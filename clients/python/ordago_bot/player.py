"""Plays for a bot class, without I/O: frames of the server in, frames for the server out."""

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from ordago import v1
from ordago.session import BotBody, BotLink, LinkState
from ordago.version import __version__
from ordago_bot.bot import Bot
from ordago_bot.receipts import Keep, Receipts
from ordago_bot.seat import Reply, Seat
from ordago_bot.words import EventCount, cost_words, default_words, end_words, fault_name, one_line

CONTRACT_VERSION: Final = 1
_NONCE_BYTES: Final = 16
"""As few as the contract allows, which is 16 to 64: nobody guesses 128 bits."""
_MS_PER_SECOND: Final = 1000

BotFactory: TypeAlias = Callable[[v1.MatchStart], Bot]
"""Makes the bot that plays one seat; usually the class itself."""

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
        )
        self._link = BotLink()
        self._seats: dict[int, Seat] = {}
        self._begun = 0
        self._event = EventCount()
        self._has_said_retire = False
        self.retiring = False
        """Whether the bot takes no more seats, since it was told so."""
        self.farewell: str | None = None
        """The server's reason for ending the session for good; ``None`` while it goes on."""
        self.retry_after_seconds = 0.0
        """How long the server that ended the session wants to be left alone before the bot comes back; else 0."""
        self.resume_window_seconds = 0.0
        """How long the session can be resumed after its connection broke; 0 without a session."""

    @property
    def keeps_receipts(self) -> bool:
        """Whether it wants to learn, before each connection, which event the server plays."""
        return self._receipts is not None

    def learn(self, described: v1.DescribeEventResponse) -> None:
        """Learn which event the server plays, before a connection begins. It may be none."""
        if self._receipts is not None:
            self._receipts.describe(described, nonce=self._hello.nonce)

    def greet(self) -> bytes:
        """Begin a connection: return the first frame. It resumes the session that there was before, if any."""
        self._link = BotLink()
        self._has_said_retire = False
        self.retry_after_seconds = 0.0
        for seat in self._seats.values():
            seat.disconnect()
        if self._hello.HasField("resume"):
            del self._hello.resume.matches[:]
            self._hello.resume.matches.extend(self._known_matches())
        return self._send(self._hello)

    def _known_matches(self) -> Iterator[v1.KnownMatch]:
        for handle, seat in self._seats.items():
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

    def leave(self, sentence: str) -> bytes:
        """Return the frame that ends the session; nothing if it is not open."""
        return self._send(v1.Goodbye(sentence=sentence)) if self._is_open else b""

    @property
    def _is_open(self) -> bool:
        return self._link.state in (LinkState.OPEN, LinkState.DRAINING)

    def receive(self, frame: bytes, *, arrived_seconds: float | None = None) -> bytes:
        """Take in a frame and return what there is to send back; possibly nothing.

        Args:
            frame: the frame.
            arrived_seconds: when it came, by the clock of the player; now if ``None``.

        Raises:
            RemoteProtocolError: the server broke the contract.
        """
        arrived = self._clock() if arrived_seconds is None else arrived_seconds
        taken = [self._take(message, arrived) for message in self._link.receive(frame)]
        # All answers to a frame are sent together, so the time of each ends with the last.
        sent = self._clock()
        replies = b"".join(self._send(reply.sent(sent)) for reply in taken if reply is not None)
        return replies + self._retirement()

    def lose_session(self, sentence: str) -> bool:
        """Learn that the session is over, and why; say whether there was one.

        A new one begins with the next greeting. Who takes no more seats needs none: then this is the farewell.
        """
        had_one = self._hello.HasField("resume")
        self._hello.ClearField("resume")
        self.resume_window_seconds = 0.0
        in_all = self._hello.matches_in_all
        if had_one and (self.retiring or 0 < in_all <= self._begun):
            self.farewell = sentence
        self._hello.matches_in_all = max(0, in_all - self._begun)
        self._begun = 0
        return had_one

    def _take(self, message: v1.ServerMessage, arrived: float) -> Reply | None:
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
            self._dismissed(message.goodbye)

    def _welcomed(self, welcome: v1.Welcome) -> None:
        _logger.info("connected; games: %s", ", ".join(offered.game for offered in welcome.games))
        if not welcome.resumed:
            self._seats.clear()
        self._hello.resume.session_id = welcome.session_id
        self._hello.resume.resume_token = welcome.resume_token
        self.resume_window_seconds = welcome.limits.resume_window_ms / _MS_PER_SECOND

    def _dismissed(self, goodbye: v1.Goodbye) -> None:
        if goodbye.retry_after_ms and not goodbye.fault:
            _logger.info("the server said goodbye for now: %s", goodbye.sentence)
            self.lose_session(goodbye.sentence)
            self.retry_after_seconds = goodbye.retry_after_ms / _MS_PER_SECOND
        else:
            self.farewell = goodbye.sentence

    def _begin(self, start: v1.MatchStart) -> None:
        # After a resume the bot of a match that goes on is kept, with all that it knows.
        seat = self._seats.get(start.match_handle)
        if seat is None or not seat.carries_on(start):
            _logger.info("match %s of %s begins, seat %d%s", start.match_id, start.game, start.seat, self._event.next())
            self._begun += seat is None
            self._seats[start.match_handle] = Seat(start, self._factory(start))
            if self._receipts is not None:
                self._receipts.begin(start)

    def _decide(self, decision: v1.Decision, arrived: float) -> Reply:
        seat = self._seats[decision.match_handle]
        reply = seat.decide(decision, seconds=arrived)
        self.retiring |= seat.bot.retiring
        return reply

    def _refused(self, refused: v1.Refused) -> Reply | None:
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
        seat.bot.forfeited(notice)

    def _end(self, end: v1.MatchEnd) -> None:
        seat = self._seats.pop(end.match_handle)
        if self._receipts is not None:
            self._receipts.end(seat.start, end)
        _logger.info("match %s ended: %s", seat.start.match_id, end_words(end, seat=seat.start.seat))
        seat.bot.ended(end)
        self.retiring |= seat.bot.retiring

    def _send(self, body: BotBody) -> bytes:
        if _logger.isEnabledFor(logging.DEBUG):
            _logger.debug("went: %s", one_line(body))
        return self._link.send(body)
