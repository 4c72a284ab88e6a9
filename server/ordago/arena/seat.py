"""A bot's seat in one match: carries questions and notices to the bot, and its answers to the match."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from ordago import v1
from ordago.arena.bot_channel import BotChannel, Keeper
from ordago.arena.connection import Departure
from ordago.arena.driver import Driver
from ordago.arena.verdict import LATE, OPEN, PENDING, REPEATED, UNKNOWN, Verdict
from ordago.match import Acceptance, Message, PlayerFailedError, Question, Reply
from ordago.protocol import ReceivedChoice
from ordago.telemetry.seat import SeatTelemetry

_HANDING_OVER_SECONDS: Final = 0.025
"""Time that an answer which arrived in time may take from the transport to the match."""
_LOST_TOO_MUCH_SECONDS: Final = 1.0
"""Time lost by the server during an open decision above which a late bot is asked once more."""
_HANGS_SECONDS: Final = 5.0
"""Least time before a bot of the server's own is overdue, so that a slow machine does not count as hanging."""
_REPLACED_AFTER: Final = 2
"""Times overdue after which a process of the server's own is replaced. The first time, the machine may be slow."""
_VOID_AFTER: Final = 4
"""Times overdue, those of the next process included, after which the match is void, so that no match waits forever."""


@dataclass(slots=True, eq=False)
class BotSeat:
    """A bot's seat in one match.

    An open question has either been sent to the bot, or waits: for a free decision slot, or for the bot to come back.
    The bot's thinking time runs only after it was sent, its disconnect bank while the bot is away.
    """

    channel: BotChannel
    """The channel to the bot."""
    handle: int
    """The number of the match in the messages of the bot's session."""
    _leave: Callable[[int], None]
    """Called with the handle when the match is over."""
    at_forfeit: Callable[[], str] = str  # nothing
    """Called when the seat is forfeited; returns text to append to the notice."""
    known_decision: int = 0
    """The last decision that the bot reported to know when it last resumed; 0 for none."""
    _telemetry: SeatTelemetry = field(init=False)
    """The telemetry of the seat, from the start of the match on."""
    _driver: Driver | None = None
    _number: int = 0
    """The number of the seat at the table."""
    _start: v1.MatchStart | None = None
    _accepted: Acceptance | None = None
    """The acceptance of the last closed decision."""
    _answer: bytes | None = None
    """The bot's answer to the last decision sent; ``None`` if there is none, or it did not stand."""
    _next: tuple[ReceivedChoice, float] | None = None
    """A second choice and its time of arrival, which counts if that answer is refused; further ones are ignored."""
    _forfeited: v1.Forfeited | None = None
    _question: Question | None = None
    """The open question; ``None`` if there is none."""
    _departure: Departure | None = None
    """The departure of the question; ``None`` while it is not at the bot."""
    _away_since: float | None = None
    """The time since which the seat waits for the bot to come back; ``None`` if it does not."""
    _spent: float = 0.0
    """Seconds that the bot had the question before its connection broke."""
    _away: float = 0.0
    """Seconds that the bot was away before it came back."""
    _lost: float = 0.0
    """Seconds that the server lost while the bot had the question, before the connection broke."""
    _asked_again: bool = False
    _overdue: int = 0
    """Number of times that a bot of the server's own was overdue with the open decision."""
    _over: bool = False
    """True once the match is over and the seat given back."""

    @property
    def last_decision(self) -> int:
        """The number of the last decision sent to the bot or closed; 0 if none. One that still waits does not count."""
        if self._question is not None and self._departure is not None:
            return self._question.decision.number
        return 0 if self._accepted is None else self._accepted.number

    @property
    def forfeited(self) -> bool:
        """True once the seat is forfeited."""
        return self._forfeited is not None

    def sit(self, driver: Driver, number: int) -> None:
        """Take the seat with this number in the match of a driver."""
        self._driver, self._number = driver, number
        if self.channel.keeper is not None and self.channel.loss is not None:
            self._fail(self.channel.keeper, self.channel.loss.sentence)

    def _fail(self, keeper: Keeper, why: str) -> None:
        """End the match, since a bot of the server's own cannot play on."""
        assert self._driver is not None
        self._driver.fail(PlayerFailedError(f"{keeper.name!r}, a bot of the server itself, could not go on: {why}"))

    def tell(self, message: Message) -> None:
        """Send a message of the referee to the bot."""
        if isinstance(message, v1.MatchStart):
            self.begin(message)
        elif isinstance(message, v1.Refused):
            self.refuse(message)
        else:
            self.forfeit(message)

    def begin(self, start: v1.MatchStart) -> None:
        """Notify the bot that the match begins."""
        start.match_handle = self.handle
        self._start = start
        self._telemetry = self.channel.telemetry.seat(start)
        self.channel.send(start)

    def ask(self, question: Question) -> Reply | None:
        """Put a question to the bot. Return the reply if it is known now; otherwise the driver gets it later."""
        if question.again:
            return self._ask_on()
        self._telemetry.asked()
        self._question = question
        self._spent = self._away = self._lost = 0.0
        self._away_since = None
        self._asked_again = False
        self._overdue = 0
        if self.channel.connection is None:
            return self._wait_for_the_bot()
        if self.channel.take_room(self):
            self.put()
        return None

    def _ask_on(self) -> Reply | None:
        """Keep the question open after a refused answer, and return the reply if it is known by now.

        With the referee in another process time has passed since the answer: it may be up, or the bot gone.
        """
        if self.channel.connection is None:
            return self._wait_for_the_bot()
        if self._departure is not None:
            self.channel.deadlines.add(self)
            if self._next is not None:
                choice, at = self._next
                self._next = None
                self._take(choice, at)
        return None

    def put(self) -> None:
        """Send the open question to the bot, for which a decision slot was taken."""
        assert self._question is not None
        decision, time = self._question.decision, self._question.time
        if self._spent or self._away:
            time = time.after(spent_seconds=self._spent, away_seconds=self._away)
        self._answer = self._next = None
        self._departure = self.channel.put(self.handle, decision.serialized(time.serialized()))
        self.channel.deadlines.add(self)

    @property
    def deadline(self) -> float:
        """The end of the wait. It becomes later when the frame is written and the departure corrected."""
        assert self._question is not None
        time = self._question.time
        if self._away_since is not None:
            return self._away_since + time.patience_seconds - self._away
        assert self._departure is not None
        seconds = time.seconds if self.channel.keeper is None else max(time.seconds, _HANGS_SECONDS)
        return self._departure.at + seconds - self._spent + _HANDING_OVER_SECONDS

    def expire(self) -> None:
        """Settle the question, since its deadline has passed."""
        try:
            self._expire()
        except Exception as error:  # noqa: BLE001 - any failure ends this match alone, which else would wait forever
            assert self._driver is not None
            self._driver.fail(error)

    def _expire(self) -> None:
        assert self._question is not None
        if self.channel.keeper is not None:
            self._bear_with(self.channel.keeper)
        elif self._away_since is not None:
            self._settle(v1.FAULT_DISCONNECTED)
        elif self._lost_meanwhile() > _LOST_TOO_MUCH_SECONDS and not self._asked_again:
            self._ask_again()
        else:
            self._too_late(self._question)

    def _bear_with(self, keeper: Keeper) -> None:
        """Give a bot of the server's own more time, have its process replaced, or end the match."""
        self._overdue += 1
        if self._overdue >= _VOID_AFTER:
            self._fail(keeper, "it did not answer")
            return
        self._stop()
        self._forgive()
        if self._overdue == _REPLACED_AFTER:
            # No deadline until the next process connects: if none does, the keeper gives the bot up.
            keeper.replace()
        else:
            self.channel.deadlines.add(self)

    def _forgive(self) -> None:
        """Count the time that a bot of the server's own took for the open decision as lost by the server."""
        self._lost += self._spent + self._away
        self._spent = self._away = 0.0

    def _ask_again(self) -> None:
        """Send the question once more with its full time: after so long a stall a late answer may be the server's."""
        self._asked_again = True
        self._lost = self._lost_meanwhile()
        self._spent = 0.0
        self.put()

    def _lost_meanwhile(self) -> float:
        if self._departure is None:
            return self._lost
        return self._lost + self.channel.clock.lost - self._departure.lost

    def choose(self, choice: ReceivedChoice, *, at: float) -> Verdict:
        """Process a choice that arrived at this time, if it answers the open decision, and return its verdict."""
        verdict = self._judge(choice)
        if verdict is OPEN:
            self._take(choice, at)
        elif verdict is PENDING and self._next is None:
            self._next = (choice, at)
        return verdict

    def _judge(self, choice: ReceivedChoice) -> Verdict:
        """Classify a choice by the decision that it is about."""
        question = self._question if self._departure is not None else None
        last = self.last_decision if question is None else question.decision.number
        if not 0 < choice.number <= last:
            return UNKNOWN
        if choice.number < last:
            return LATE
        if question is not None:
            return OPEN if self._answer is None else PENDING
        return REPEATED if self._answer == choice.answer else LATE

    def _take(self, choice: ReceivedChoice, at: float) -> None:
        """Hand an answer to the open question to the driver; too late, it counts as none."""
        self._answer = choice.answer
        assert self._driver is not None
        assert self._question is not None
        assert self._departure is not None
        # An answer can arrive before its question left, if the bot guessed that it would be asked.
        elapsed = self._spent + max(0.0, at - self._departure.at)
        lost = self._lost + self.channel.clock.lost - self._departure.lost
        if self.channel.keeper is not None:
            in_time = self._question.time.within(elapsed)
            elapsed, lost = in_time, lost + elapsed - in_time
        elif self._question.time.is_up(elapsed):
            self._too_late(self._question)
            return
        self._driver.answered(Reply(choice.answer, elapsed, thought_ms=choice.thought_ms, away=self._away, lost=lost))

    def _too_late(self, question: Question) -> None:
        lost = self._lost_meanwhile()
        self._reply(Reply(None, question.time.seconds, v1.FAULT_TOO_LATE, away=self._away, lost=lost))

    def _settle(self, fault: v1.Fault) -> None:
        """Reply that no answer comes, because of a fault."""
        self._stop()
        self._reply(Reply(None, self._spent, fault, away=self._away, lost=self._lost))

    def _stop(self) -> None:
        """Stop the running clock, and add its time to that spent or that away."""
        now = self.channel.clock.now()
        self.channel.deadlines.discard(self)
        if self._departure is not None:
            self._lost = self._lost_meanwhile()
            self._spent += max(0.0, now - self._departure.at)
            # Else the same time would be added again, if the connection is lost after the bot was given up.
            self._departure = Departure(now, self.channel.clock.lost)
        elif self._away_since is not None:
            self._away += max(0.0, now - self._away_since)
            self._away_since = None

    def _reply(self, reply: Reply) -> None:
        assert self._driver is not None
        self._driver.answered(reply)

    def interrupt(self) -> None:
        """Note that the connection is gone, and that the open question is not at the bot any more."""
        if self._question is not None:
            self._stop()
            self._departure = None

    def wait_for_the_bot(self) -> None:
        """Wait for the bot to come back, as long as its disconnect bank allows."""
        if self._question is not None:
            reply = self._wait_for_the_bot()
            if reply is not None:
                self._reply(reply)

    def _wait_for_the_bot(self) -> Reply | None:
        """Start to wait for the bot; if its disconnect bank is used up, return the reply instead."""
        assert self._question is not None
        loss, kept = self.channel.loss, self.channel.keeper is not None
        if not kept and (loss is not None or self._question.time.patience_seconds <= self._away):
            fault = v1.FAULT_DISCONNECTED if loss is None else loss.fault
            return Reply(None, self._spent, fault, away=self._away, lost=self._lost)
        if self._away_since is None:
            self._away_since = self.channel.clock.now()
        if not kept:
            # A bot of the server's own has no deadline: its keeper restarts it, or gives it up.
            self.channel.deadlines.add(self)
        return None

    def resume(self) -> None:
        """Send a bot that came back the state of the match, and the open question once more."""
        self._answer = None
        if self._start is not None:
            self._note_last_decision(self._start)
            self.channel.send(self._start)
            self.repeat_acceptance()
            if self._forfeited is not None:
                self.channel.send(self._forfeited)
        if self._question is not None:
            self._stop()
            if self.channel.keeper is not None:
                self._forgive()
                # A process that replaced another one is not replaced itself.
                self._overdue = _REPLACED_AFTER if self._overdue else 0
            if self.channel.take_room(self):
                self.put()

    def _note_last_decision(self, start: v1.MatchStart) -> None:
        if self._accepted is not None:
            start.last_decision = self._accepted.number

    def give_up(self, fault: v1.Fault, sentence: str) -> None:
        """Forfeit the seat, since the bot does not come back. For a bot of the server's own, fail the match."""
        if self._driver is not None and self.channel.keeper is not None:
            self._fail(self.channel.keeper, sentence)
        elif self._driver is not None:
            self._driver.forfeit(self._number, fault, sentence)
            if self._question is not None:
                self._settle(fault)

    def refuse(self, refused: v1.Refused) -> None:
        """Notify the bot that its answer was refused."""
        self._telemetry.refused()
        self._answer = None
        refused.match_handle = self.handle
        self.channel.send(refused)

    def accept(self, accepted: Acceptance) -> None:
        """Notify the bot that the decision is closed."""
        self._telemetry.closed(accepted.charged_ms, accepted.fault)
        self._accepted = accepted
        if accepted.fault:
            self._answer = None
        self.channel.accept(self.handle, accepted)
        self._close()

    def _close(self) -> None:
        """Note that no decision is open any more."""
        if self._question is None:
            return
        self._question = None
        self.channel.deadlines.discard(self)
        if self._departure is not None:
            self._departure = None
            self.channel.give_room_back()
        else:
            self.channel.wait_no_more(self)

    def repeat_acceptance(self) -> None:
        """Send the acceptance of the last closed decision again, if there is one."""
        if self._accepted is not None:
            self.channel.accept(self.handle, self._accepted, again=True)

    def forfeit(self, forfeited: v1.Forfeited) -> None:
        """Notify the bot that the seat is forfeited. For a bot of the server's own, fail the match."""
        if self.channel.keeper is not None:
            self._fail(self.channel.keeper, forfeited.sentence)
            return
        self._telemetry.forfeited(forfeited.fault)
        forfeited.match_handle = self.handle
        forfeited.sentence += self.at_forfeit()
        self._forfeited = forfeited
        self.channel.send(forfeited)

    def abandon(self, sentence: str) -> None:
        """Give the seat back and report the match as void for this reason, unless it has ended."""
        if not self._over:
            self.end(v1.MatchEnd(sentence=sentence))

    def end(self, end: v1.MatchEnd) -> None:
        """Notify the bot that the match is over, and give the seat back."""
        end.match_handle = self.handle
        if self._start is not None:
            self._note_last_decision(self._start)
            self.channel.tell_end(self._start, end)
        self._close()
        self._over = True
        self._leave(self.handle)
