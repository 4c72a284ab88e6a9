"""What a player keeps of one seat: its bot, what it was asked last, and what it answered."""

import inspect
from collections.abc import Awaitable
from typing import Final, NamedTuple, TypeAlias

from ordago import v1
from ordago_bot.bot import Bot, BotFactory, Choosable, answer_of
from ordago_bot.match import Match

_MS_PER_SECOND: Final = 1000
_NUMBER_BYTES: Final = 4
"""All clients here seed alike (docs/clients.md, chance): the number of a decision is a ``uint32``."""

Notice: TypeAlias = v1.Forfeited | v1.MatchEnd
"""What a bot is told without being asked."""


class Reply(NamedTuple):
    """An answer that is ready to be sent."""

    choice: v1.Choice
    asked_seconds: float
    """When the decision came, by the clock of the player."""

    def sent(self, seconds: float) -> v1.Choice:
        """Return the choice, with the time that was thought about it until it was sent."""
        self.choice.thought_ms = round((seconds - self.asked_seconds) * _MS_PER_SECOND)
        return self.choice


class Question:
    """A decision that a bot has to think about."""

    __slots__ = ("decision", "is_open", "refusal", "seat")

    def __init__(self, seat: "Seat", decision: v1.Decision, refusal: v1.Refused | None = None) -> None:
        """Ask it."""
        self.seat = seat
        """The seat that is asked."""
        self.decision = decision
        """The decision."""
        self.refusal = refusal
        """Why the answer before was refused; ``None`` if there was none."""
        self.is_open = True
        """Whether anybody still waits for the answer."""

    @property
    def bot(self) -> Bot:
        """Whoever has to think."""
        return self.seat.bot

    def think(self) -> Choosable | Awaitable[Choosable]:
        """Return what the bot chooses, or what has to be awaited for that."""
        return self.seat.think(self.decision, self.refusal)


Step: TypeAlias = Reply | Question | None
"""What comes of a message at a seat: an answer to send, a question for a bot that thinks elsewhere, or nothing."""


class Seat:
    """One seat of one match, over all connections of the session.

    A decision may come again: after a broken connection, or because the server lost time. Its answer is kept and sent
    again, so that the bot is asked once, and the server cannot be told two things.

    A bot that thinks elsewhere, in another thread or by ``async``, is handed one question after the other, and is told
    nothing while it thinks: its methods never run at the same time.
    """

    def __init__(self, start: v1.MatchStart, factory: BotFactory) -> None:
        """Begin with nothing asked."""
        self.start = start
        """The match, as it was announced."""
        self.bot = bot = factory(Match(start))
        """Who plays the seat."""
        self.number = 0
        """The last decision that came; 0 if none did."""
        self._thinks_elsewhere = bot.threads > 0 or any(map(inspect.iscoroutinefunction, (bot.choose, bot.refused)))
        self._answer: v1.Answer | None = None
        """The answer to the last decision; ``None`` while there is none."""
        self._open: v1.Decision | None = None
        self._asked_seconds = 0.0
        self._closed = 0
        self._refusals: set[str] = set()
        self._question: Question | None = None
        """What the bot thinks about; perhaps nobody waits for the answer any more."""
        self._next: Question | None = None
        """What it is asked as soon as it has thought."""
        self._notices: list[Notice] = []
        """What it is told then."""

    def carries_on(self, start: v1.MatchStart) -> bool:
        """Say whether a match that is announced is this one, at no earlier point than the bot has seen."""
        return start.match_id == self.start.match_id and start.last_decision + 1 >= self.number

    def disconnect(self) -> None:
        """Go on over another connection, where the decision that is open will come again."""
        self._open = None

    def decide(self, decision: v1.Decision, *, seconds: float) -> Step:
        """Answer a decision that came at a time."""
        self._open, self._asked_seconds = decision, seconds
        if decision.number != self.number:
            self.number, self._answer = decision.number, None
            self.drop()
        if self._is_asked:
            return None
        return self._ask(decision) if self._answer is None else self._reply(decision, self._answer)

    def decide_again(self, refused: v1.Refused) -> Step:
        """Answer a refusal; ``None`` if the decision is closed."""
        decision = self._open
        if decision is None or decision.number != refused.number or self._is_asked or not _is_answer_due(refused):
            return None
        return self._ask(decision, refused)

    def answer(self, answer: v1.Answer | None) -> Step:
        """Take the answer of a bot that thought elsewhere; ``None`` if it has given up, since nobody waits."""
        question, self._question = self._question, None
        notices, self._notices = self._notices, []
        for notice in notices:
            self.tell(notice)
        if self._next is not None:
            self._question, self._next = self._next, None
            return self._question
        is_due = question is not None and question.is_open
        return self._answered(answer) if is_due and answer is not None else None

    def tell(self, notice: Notice) -> None:
        """Tell the bot something, once it does not think."""
        if self._question is not None:
            self._notices.append(notice)
        elif isinstance(notice, v1.Forfeited):
            self.bot.forfeited(notice)
        else:
            self.bot.ended(notice)

    def drop(self) -> None:
        """Wait no more for the answer that the bot thinks about."""
        self._next = None
        if self._question is not None:
            self._question.is_open = False

    def is_first_refusal(self, cause: str) -> bool:
        """Say whether no answer in this match was refused before for this cause."""
        is_first = cause not in self._refusals
        self._refusals.add(cause)
        return is_first

    def close(self, number: int) -> bool:
        """Close a decision; say whether that is news, since it may be told again after a broken connection."""
        if self._open is not None and self._open.number == number:
            self._open = None
            self.drop()
        news = number > self._closed
        self._closed = max(number, self._closed)
        return news

    @property
    def _is_asked(self) -> bool:
        """Whether the bot thinks about the last decision, or will."""
        return self._next is not None or (self._question is not None and self._question.is_open)

    def think(self, decision: v1.Decision, refusal: v1.Refused | None = None) -> Choosable | Awaitable[Choosable]:
        """Return what the bot chooses at a decision, or at the refusal of its answer, or what is to be awaited."""
        if refusal is not None:
            return self.bot.refused(decision, refusal)
        self.bot.random.seed(self.start.seed + decision.number.to_bytes(_NUMBER_BYTES, "big"))
        return self.bot.choose(decision)

    def _ask(self, decision: v1.Decision, refusal: v1.Refused | None = None) -> Step:
        if not self._thinks_elsewhere:
            # What cannot be chosen, such as something to be awaited, is told to the author.
            return self._answered(answer_of(self.think(decision, refusal)))
        question = Question(self, decision, refusal)
        if self._question is not None:
            self._next = question
            return None
        self._question = question
        return question

    def _answered(self, answer: v1.Answer) -> Reply | None:
        self._answer = answer
        return None if self._open is None else self._reply(self._open, answer)

    def _reply(self, decision: v1.Decision, answer: v1.Answer) -> Reply:
        choice = v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer)
        return Reply(choice, self._asked_seconds)


def _is_answer_due(refused: v1.Refused) -> bool:
    """Say whether a refusal leaves the decision open. With the last strike the default answer is taken."""
    last_strike = bool(refused.rule) and not refused.strikes_left
    return bool(refused.time_left_ms) and not last_strike
