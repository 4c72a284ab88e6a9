"""State of one seat: its bot, the last decision and the answer to it."""

import inspect
import math
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, NamedTuple, NoReturn, TypeAlias

from ordago import v1
from ordago_bot.asked import Asked
from ordago_bot.bot import Bot, BotFactory, Choosable, Countdown, answer_of
from ordago_bot.match import Match

_MS_PER_SECOND: Final = 1000
_NUMBER_BYTES: Final = 4
"""The size of a decision's number, a ``uint32``. All SDKs seed alike (docs/clients.md, randomness)."""

_AROUND: Final = frozenset({"ordago_bot", "outcome", "trio"})
"""The packages that call a bot; they import nothing of an author's."""

Notice: TypeAlias = v1.Forfeited | v1.MatchEnd
"""A message to a bot that needs no answer."""

Thought: TypeAlias = v1.Answer | Exception | None
"""The answer of a bot that thought elsewhere, or how it failed; ``None`` if it was cancelled."""


class Failure(NamedTuple):
    """A failure of a bot: it raised, or returned no answer."""

    match_id: str
    """The match."""
    error: Exception
    """The exception."""
    decision: v1.Decision | None
    """The decision; ``None`` if none was asked."""
    at_start: bool
    """True if the bot failed when it was made."""
    is_first: bool
    """True for the first failure of the match."""


def stop(failure: Failure) -> NoReturn:
    """Raise what the bot raised, with a last line that says all: a runner shows only that."""
    decision = "" if failure.decision is None else f", decision {failure.decision.number}"
    failure.error.add_note(f"match {failure.match_id}{decision}: the bot failed: {error_text(failure.error)}")
    raise failure.error


def authors_frames(error: BaseException) -> TracebackType | None:
    """Return the traceback of an error from the author's code on; all of it if the error is not from there."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_globals.get("__name__", "").partition(".")[0] in _AROUND:
        frames = frames.tb_next
    return frames or error.__traceback__


class _Unmade(Bot):
    """The bot in place of one that failed when it was made: it takes default answers."""

    def choose(self, decision: v1.Decision) -> v1.Answer:
        """Take the default answer."""
        return decision.default_answer


class Reply(NamedTuple):
    """An answer ready to be sent."""

    match_id: str
    """The match."""
    choice: v1.Choice
    asked_seconds: float
    """The time at which the decision arrived, in seconds of the player's clock."""

    def sent(self, seconds: float) -> v1.Choice:
        """Return the choice with its thinking time, which ends at ``seconds`` of the player's clock."""
        self.choice.thought_ms = round((seconds - self.asked_seconds) * _MS_PER_SECOND)
        return self.choice


class Question:
    """A decision for a bot, which may think in another thread or task."""

    __slots__ = ("began_seconds", "countdown", "decision", "is_open", "refusal", "seat")

    def __init__(
        self, seat: "Seat", decision: v1.Decision, refusal: v1.Refused | None, *, countdown: Countdown
    ) -> None:
        """Open the question."""
        self.seat = seat
        """The seat that is asked."""
        self.decision = decision
        """The decision."""
        self.refusal = refusal
        """The refusal of the answer before; ``None`` if none was refused."""
        self.countdown = countdown
        """The time left."""
        self.is_open = True
        """False once the answer is no longer needed."""
        self.began_seconds: float | None = None
        """The time at which the bot began to think; ``None`` before."""

    @property
    def bot(self) -> Bot:
        """The bot that is asked."""
        return self.seat.bot

    def think(self) -> Choosable | Awaitable[Choosable]:
        """Return the choice of the bot, or an awaitable of it."""
        self.began_seconds = self.seat.clock()
        self.bot.countdown = self.countdown
        return self.seat.think(self.decision, self.refusal)

    def close(self) -> None:
        """Let the answer be needed no longer. A bot in a thread finds no time left."""
        self.is_open = False
        self.countdown.deadline = -math.inf


Step: TypeAlias = Reply | Question | None
"""The result of a message: an answer to send, a question for a bot that thinks elsewhere, or nothing."""


class Seat:
    """One seat of one match, over all connections of the session.

    A decision may come again: after a broken connection, or because the server lost time. Its answer is stored and sent
    again. So the bot is asked once, and the server never gets two different answers.

    A bot that thinks elsewhere, in another thread or by ``async``, gets one question after the other. Notices wait
    until it has thought, so that its methods never run at the same time.
    """

    def __init__(
        self,
        start: v1.MatchStart,
        factory: BotFactory,
        *,
        on_failure: Callable[[Failure], None] = stop,
        on_asked: Callable[[Asked], None] | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Begin with nothing asked.

        Args:
            start: the announcement of the match.
            factory: makes the bot.
            on_failure: is told when the bot fails; if it returns, default answers are taken.
            on_asked: is told each time that the bot was asked; ``None`` for nobody.
            clock: returns a monotonic time in seconds; by default it stands still.
        """
        self.start = start
        """The announcement of the match."""
        self.clock = clock
        """The clock of the player."""
        self._on_failure = on_failure
        self._on_asked = on_asked
        self._has_failed = False
        self.bot = bot = self._made(factory)
        """The bot that plays the seat."""
        self.number = 0
        """The number of the last decision that came; 0 before the first."""
        self._thinks_elsewhere = bot.threads > 0 or any(map(inspect.iscoroutinefunction, (bot.choose, bot.refused)))
        self._answer: v1.Answer | None = None
        """The answer to the last decision; ``None`` while there is none."""
        self._open: v1.Decision | None = None
        self._asked_seconds = 0.0
        self._closed = 0
        self._refusals: set[str] = set()
        self._question: Question | None = None
        """The question that the bot thinks about; it may be closed already."""
        self._next: Question | None = None
        """The question that follows as soon as the bot has thought."""
        self._notices: list[Notice] = []
        """The notices to deliver then."""

    def _made(self, factory: BotFactory) -> Bot:
        match = Match(self.start)
        try:
            return factory(match)
        except Exception as error:  # noqa: BLE001 - an author's code may raise anything
            self._fail(error, at_start=True)
            return _Unmade(match)

    def _fail(self, error: Exception, *, decision: v1.Decision | None = None, at_start: bool = False) -> None:
        is_first, self._has_failed = not self._has_failed, True
        self._on_failure(Failure(self.start.match_id, error, decision, at_start, is_first))

    def carries_on(self, start: v1.MatchStart) -> bool:
        """Return True if an announced match is this one, and no decision that the bot has seen is undone."""
        return start.match_id == self.start.match_id and start.last_decision + 1 >= self.number

    def disconnect(self) -> None:
        """Prepare for another connection, on which the open decision will come again."""
        self._open = None

    def decide(self, decision: v1.Decision, *, seconds: float) -> Step:
        """Answer a decision that arrived at ``seconds`` of the player's clock."""
        self._open, self._asked_seconds = decision, seconds
        if decision.number != self.number:
            self.number, self._answer = decision.number, None
            self.drop()
        deadline = seconds + _seconds_of(decision)
        if (asked := self._asked) is not None:
            asked.countdown.deadline = deadline
            return None
        return self._ask(decision, deadline) if self._answer is None else self._reply(decision, self._answer)

    def decide_again(self, refused: v1.Refused, *, seconds: float) -> Step:
        """Ask the bot again after a refusal that arrived at ``seconds`` of the player's clock.

        Return ``None`` if the decision is closed or the bot is asked already.
        """
        decision = self._open
        if decision is None or decision.number != refused.number or self._asked or not _is_answer_due(refused):
            return None
        has_clock = decision.HasField("clock")
        left = refused.time_left_ms / _MS_PER_SECOND if has_clock else math.inf
        return self._ask(decision, seconds + left, refused)

    def answer(self, thought: Thought) -> Step:
        """Take the thought of a bot that thinks elsewhere."""
        question, self._question = self._question, None
        answer = None if question is None else self._taken(question, thought)
        notices, self._notices = self._notices, []
        for notice in notices:
            self.tell(notice)
        if self._next is not None:
            self._question, self._next = self._next, None
            return self._question
        return None if answer is None else self._answered(answer)

    def tell(self, notice: Notice) -> None:
        """Deliver a notice to the bot, as soon as it is not thinking."""
        if self._question is not None:
            self._notices.append(notice)
            return
        try:
            if isinstance(notice, v1.Forfeited):
                self.bot.forfeited(notice)
            else:
                self.bot.ended(notice)
        except Exception as error:  # noqa: BLE001 - an author's code may raise anything
            self._fail(error)

    def drop(self) -> None:
        """Close the question that the bot thinks about, and drop the next one."""
        self._next = None
        if self._question is not None:
            self._question.close()

    def is_first_refusal(self, cause: str) -> bool:
        """Return True the first time that an answer in this match is refused for this cause."""
        is_first = cause not in self._refusals
        self._refusals.add(cause)
        return is_first

    def close(self, number: int) -> bool:
        """Close a decision; return False if it was closed before, as after a broken connection."""
        if self._open is not None and self._open.number == number:
            self._open = None
            self.drop()
        news = number > self._closed
        self._closed = max(number, self._closed)
        return news

    @property
    def _asked(self) -> Question | None:
        """The question of the last decision while the bot thinks about it, or is about to."""
        current = self._question if self._question is not None and self._question.is_open else None
        return self._next or current

    def think(self, decision: v1.Decision, refusal: v1.Refused | None = None) -> Choosable | Awaitable[Choosable]:
        """Return the bot's choice at a decision, or after the refusal of its answer, or an awaitable of the choice."""
        if refusal is not None:
            return self.bot.refused(decision, refusal)
        self.bot.random.seed(self.start.seed + decision.number.to_bytes(_NUMBER_BYTES, "big"))
        return self.bot.choose(decision)

    def _ask(self, decision: v1.Decision, deadline: float, refusal: v1.Refused | None = None) -> Step:
        question = Question(self, decision, refusal, countdown=Countdown(deadline, clock=self.clock))
        if not self._thinks_elsewhere:
            answer = self._taken(question, _thought(question))
            return None if answer is None else self._answered(answer)
        if self._question is not None:
            self._next = question
            return None
        self._question = question
        return question

    def _taken(self, question: Question, thought: Thought) -> v1.Answer | None:
        """Return the answer to send; ``None`` if it is no longer needed."""
        answer: v1.Answer | None = None
        error = thought if isinstance(thought, Exception) else None
        try:
            if error is not None:
                self._fail(error, decision=question.decision)
                thought = question.decision.default_answer
            if question.is_open and isinstance(thought, v1.Answer):
                answer = thought
        finally:
            self._log_asked(question, answer, error)
        return answer

    def _log_asked(self, question: Question, answer: v1.Answer | None, error: Exception | None) -> None:
        if self._on_asked is not None and question.began_seconds is not None:
            asked = Asked(
                start=self.start,
                decision=question.decision,
                refused=question.refusal,
                answer=answer,
                milliseconds=round((self.clock() - question.began_seconds) * _MS_PER_SECOND),
                error="" if error is None else error_text(error),
            )
            self._on_asked(asked)

    def _answered(self, answer: v1.Answer) -> Reply | None:
        self._answer = answer
        return None if self._open is None else self._reply(self._open, answer)

    def _reply(self, decision: v1.Decision, answer: v1.Answer) -> Reply:
        choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer)
        return Reply(self.start.match_id, choice, self._asked_seconds)


def _thought(question: Question) -> Thought:
    """Let a bot think here and now."""
    try:
        return answer_of(question.think(), question.decision)
    except Exception as error:  # noqa: BLE001 - an author's code may raise anything
        return error


def error_text(error: Exception) -> str:
    """Return the words of an error, or its name if it has none."""
    return str(error) or type(error).__name__


def _seconds_of(decision: v1.Decision) -> float:
    """Return the time for a decision, the bank included; without a clock it has no end."""
    clock = decision.clock
    return (clock.decision_ms + clock.bank_ms) / _MS_PER_SECOND if decision.HasField("clock") else math.inf


def _is_answer_due(refused: v1.Refused) -> bool:
    """Return True if a refusal leaves the decision open. After the last strike the default answer is taken."""
    last_strike = bool(refused.rule) and not refused.strikes_left
    return bool(refused.time_left_ms) and not last_strike
