"""A bot's seat in one match: what a match sees of the bot, and what the bot hears of the match."""

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
"""How long an answer that came in time may take from the transport to the match."""
_LOST_TOO_MUCH_SECONDS: Final = 1.0
"""When the server lost more than this while a decision was open, and no answer came in time, it is asked again."""
_HANGS_SECONDS: Final = 5.0
"""A bot of the server's own is overdue when its time is up, but no sooner: a machine that is slow does not hang."""
_REPLACED_AFTER: Final = 2
"""Overdue so often, it hangs, and another process takes its place; the first time the machine may be slow."""
_VOID_AFTER: Final = 4
"""Overdue so often, the next process included, the match is void: nobody waits for the server without end."""


@dataclass(slots=True, eq=False)
class BotSeat:
    """A bot's seat in one match.

    A question that the seat is asked is either at the bot, from its departure on; or it waits, for room at the bot or
    for the bot to come back. The time of the bot runs in the first case only, that of its absence while it is away.
    """

    channel: BotChannel
    """The way to the bot."""
    handle: int
    """The number of the match in the messages of the bot's session."""
    _leave: Callable[[int], None]
    """Is told the handle when the match is over."""
    at_forfeit: Callable[[], str] = str  # nothing
    """Is called when the seat is forfeited, and returns what else is to be said of it."""
    known_decision: int = 0
    """The last decision that the bot had got when it came back last; 0 if it did not say."""
    _told: SeatTelemetry = field(init=False)
    """Where it is told what becomes of the seat, from the beginning of the match on."""
    _driver: Driver | None = None
    _number: int = 0
    """The number of the seat at the table."""
    _start: v1.MatchStart | None = None
    _accepted: Acceptance | None = None
    """What was said last of a decision that is closed."""
    _answer: bytes | None = None
    """The bot's answer to the decision that was put last, unless it was refused or came to nothing."""
    _next: tuple[ReceivedChoice, float] | None = None
    """Another choice for it, and when it came, which counts where that answer is refused; later ones do not."""
    _forfeited: v1.Forfeited | None = None
    _question: Question | None = None
    """The decision that is open."""
    _departure: Departure | None = None
    """When the question left; ``None`` while it is not at the bot."""
    _away_since: float | None = None
    """When the bot was lost; ``None`` while it is there."""
    _spent: float = 0.0
    """How long the bot had the question before its connection broke, in seconds."""
    _away: float = 0.0
    """How long the bot was away before it came back, in seconds."""
    _lost: float = 0.0
    """How much time the server lost while the bot had the question, before the connection broke, in seconds."""
    _asked_again: bool = False
    _overdue: int = 0
    """How often a bot of the server's own was overdue with the open decision."""
    _over: bool = False
    """Whether the match is over, and the seat given back."""

    @property
    def last_decision(self) -> int:
        """The number of the last decision that the bot knows of, 0 if none. What is not at it yet it cannot know."""
        if self._question is not None and self._departure is not None:
            return self._question.decision.number
        return 0 if self._accepted is None else self._accepted.number

    @property
    def forfeited(self) -> bool:
        """Whether it was forfeited."""
        return self._forfeited is not None

    def sit(self, driver: Driver, number: int) -> None:
        """Take the seat with this number in the match that somebody drives."""
        self._driver, self._number = driver, number
        if self.channel.keeper is not None and self.channel.loss is not None:
            self._fail(self.channel.keeper, self.channel.loss.sentence)

    def _fail(self, keeper: Keeper, why: str) -> None:
        """End the match, in which a bot of the server's own cannot play on."""
        assert self._driver is not None
        self._driver.fail(PlayerFailedError(f"{keeper.name!r}, a bot of the server's own, could not play on: {why}"))

    def tell(self, message: Message) -> None:
        """Tell the bot what the referee says to its seat."""
        if isinstance(message, v1.MatchStart):
            self.begin(message)
        elif isinstance(message, v1.Refused):
            self.refuse(message)
        else:
            self.forfeit(message)

    def begin(self, start: v1.MatchStart) -> None:
        """Tell that the match begins."""
        start.match_handle = self.handle
        self._start = start
        self._told = self.channel.told.seat(start)
        self.channel.send(start)

    def ask(self, question: Question) -> Reply | None:
        """Put a question to the bot. What comes of it is told to the table later, or returned if it is known now."""
        if question.again:
            return self._ask_on()
        self._told.asked()
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
        """Let the open question stand, whose answer was refused; return what comes of it if that is known by now.

        Where the referee is in another process time has passed since the answer: it may be up, or the bot gone.
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
        """Put the open question to the bot, which has room for it now."""
        assert self._question is not None
        decision, time = self._question.decision, self._question.time
        if self._spent or self._away:
            time = time.after(spent_seconds=self._spent, away_seconds=self._away)
        self._answer = self._next = None
        self._departure = self.channel.put(self.handle, decision.serialized(time.serialized()))
        self.channel.deadlines.add(self)

    @property
    def deadline(self) -> float:
        """When the waiting ends. The departure is corrected when the frame is really written."""
        assert self._question is not None
        time = self._question.time
        if self._away_since is not None:
            return self._away_since + time.patience_seconds - self._away
        assert self._departure is not None
        seconds = time.seconds if self.channel.keeper is None else max(time.seconds, _HANGS_SECONDS)
        return self._departure.at + seconds - self._spent + _HANDING_OVER_SECONDS

    def expire(self) -> None:
        """Note that the waiting is over."""
        try:
            self._expire()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is one match's: it would wait for ever
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
        """Give a bot of the server's own more time, let another process take its place, or end the match."""
        self._overdue += 1
        if self._overdue >= _VOID_AFTER:
            self._fail(keeper, "it did not answer")
            return
        self._stop()
        self._forgive()
        if self._overdue == _REPLACED_AFTER:
            # No deadline until the next process is there: the keeper gives the bot up where none comes.
            keeper.replace()
        else:
            self.channel.deadlines.add(self)

    def _forgive(self) -> None:
        """Count what a bot of the server's own took for the open decision so far as lost by the server."""
        self._lost += self._spent + self._away
        self._spent = self._away = 0.0

    def _ask_again(self) -> None:
        """Put the question once more, with all its time: the server stood still for so long that nobody can tell."""
        self._asked_again = True
        self._lost = self._lost_meanwhile()
        self._spent = 0.0
        self.put()

    def _lost_meanwhile(self) -> float:
        if self._departure is None:
            return self._lost
        return self._lost + self.channel.clock.lost - self._departure.lost

    def choose(self, choice: ReceivedChoice, *, at: float) -> Verdict:
        """Take in a choice that arrived at this time, if it is about the open decision. Say what it is about."""
        verdict = self._judge(choice)
        if verdict is OPEN:
            self._take(choice, at)
        elif verdict is PENDING and self._next is None:
            self._next = (choice, at)
        return verdict

    def _judge(self, choice: ReceivedChoice) -> Verdict:
        """Say what a choice is about."""
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
        """Hand an answer to the open question on to the match."""
        self._answer = choice.answer
        assert self._driver is not None
        assert self._question is not None
        assert self._departure is not None
        # An answer can be older than the question: a bot may have guessed that it would be asked.
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
        """Tell the table that no answer comes."""
        self._stop()
        self._reply(Reply(None, self._spent, fault, away=self._away, lost=self._lost))

    def _stop(self) -> None:
        """Add up what has passed, since the question is not at the bot any more, or the bot is not away any more."""
        now = self.channel.clock.now()
        self.channel.deadlines.discard(self)
        if self._departure is not None:
            self._lost = self._lost_meanwhile()
            self._spent += max(0.0, now - self._departure.at)
            # What is added up now is not added up again, where the bot is lost after it was given up.
            self._departure = Departure(now, self.channel.clock.lost)
        elif self._away_since is not None:
            self._away += max(0.0, now - self._away_since)
            self._away_since = None

    def _reply(self, reply: Reply) -> None:
        assert self._driver is not None
        self._driver.answered(reply)

    def interrupt(self) -> None:
        """Note that the connection is gone, and with it the question that was put."""
        if self._question is not None:
            self._stop()
            self._departure = None

    def wait_for_the_bot(self) -> None:
        """Wait for the bot to come back, as long as it has time to be away."""
        if self._question is not None:
            reply = self._wait_for_the_bot()
            if reply is not None:
                self._reply(reply)

    def _wait_for_the_bot(self) -> Reply | None:
        """Wait until the bot comes back, if it has time to be away left; else return what comes of the question."""
        assert self._question is not None
        loss, kept = self.channel.loss, self.channel.keeper is not None
        if not kept and (loss is not None or self._question.time.patience_seconds <= self._away):
            fault = v1.FAULT_DISCONNECTED if loss is None else loss.fault
            return Reply(None, self._spent, fault, away=self._away, lost=self._lost)
        if self._away_since is None:
            self._away_since = self.channel.clock.now()
        if not kept:
            # For a bot of the server's own its keeper sets the bounds: it starts the bot anew, or gives it up.
            self.channel.deadlines.add(self)
        return None

    def resume(self) -> None:
        """Tell a bot that came back how far the match has come, and put the open question once more."""
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
                # A process that took its place is not replaced in its turn.
                self._overdue = _REPLACED_AFTER if self._overdue else 0
            if self.channel.take_room(self):
                self.put()

    def _note_last_decision(self, start: v1.MatchStart) -> None:
        if self._accepted is not None:
            start.last_decision = self._accepted.number

    def give_up(self, fault: v1.Fault, sentence: str) -> None:
        """Note that the bot does not come back."""
        if self._driver is not None and self.channel.keeper is not None:
            self._fail(self.channel.keeper, sentence)
        elif self._driver is not None:
            self._driver.forfeit(self._number, fault, sentence)
            if self._question is not None:
                self._settle(fault)

    def refuse(self, refused: v1.Refused) -> None:
        """Tell that an answer was not taken."""
        self._told.refused()
        self._answer = None
        refused.match_handle = self.handle
        self.channel.send(refused)

    def accept(self, accepted: Acceptance) -> None:
        """Tell that the decision is closed."""
        self._told.closed(accepted.charged_ms, accepted.fault)
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
        """Tell again that the last decision is closed."""
        if self._accepted is not None:
            self.channel.accept(self.handle, self._accepted, again=True)

    def forfeit(self, forfeited: v1.Forfeited) -> None:
        """Tell that the seat is forfeited."""
        if self.channel.keeper is not None:
            self._fail(self.channel.keeper, forfeited.sentence)
            return
        self._told.forfeited(forfeited.fault)
        forfeited.match_handle = self.handle
        forfeited.sentence += self.at_forfeit()
        self._forfeited = forfeited
        self.channel.send(forfeited)

    def abandon(self, sentence: str) -> None:
        """Give the seat back, if the match did not come to its end; the match is void then, for this reason."""
        if not self._over:
            self.end(v1.MatchEnd(sentence=sentence))

    def end(self, end: v1.MatchEnd) -> None:
        """Tell that the match is over, and give the seat back."""
        end.match_handle = self.handle
        if self._start is not None:
            self._note_last_decision(self._start)
            self.channel.tell_end(self._start, end)
        self._close()
        self._over = True
        self._leave(self.handle)
