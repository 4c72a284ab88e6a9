"""The base class of bots, one object for each seat of each match, and the answers that a bot may give."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from random import Random
from typing import ClassVar, TypeAlias

from ordago import v1
from ordago_bot.match import Match

Choosable: TypeAlias = v1.LegalAction | v1.Action | v1.Answer
"""A choice, as a bot may return it."""


def answer_of(chosen: object, decision: v1.Decision) -> v1.Answer:
    """Convert the choice of a bot at a decision to an answer.

    Raises:
        TypeError: ``chosen`` is neither a ``LegalAction`` nor an ``Action`` nor an ``Answer``.
        ValueError: the answer names no action. Only a default answer may do so.
    """
    answer = _converted(chosen)
    if answer.WhichOneof("action_choice") is None and answer != decision.default_answer:
        raise ValueError("its answer names no action")
    return answer


def _converted(chosen: object) -> v1.Answer:
    if isinstance(chosen, v1.Answer):
        return chosen
    if isinstance(chosen, v1.LegalAction):
        return v1.Answer(legal_action=chosen.id)
    if isinstance(chosen, v1.Action):
        return v1.Answer(action=chosen)
    error = TypeError("it returned no answer" if chosen is None else f"it returned {type(chosen).__name__}, no answer")
    error.add_note("choose() and refused() have to return a LegalAction, an Action or an Answer.")
    raise error


def complete(action: v1.LegalAction, random: Random) -> v1.Answer:
    """Return an answer that takes a legal action, with a random amount and random cards where it leaves them open."""
    answer = v1.Answer(legal_action=action.id)
    if action.HasField("amount"):
        answer.amount = random.randint(action.amount.min, action.amount.max)
    for pick in action.picks:
        answer.cards.extend(random.sample(list(pick.cards), random.randint(pick.min, pick.max)))
    return answer


class Countdown:
    """The time left for one decision."""

    __slots__ = ("_clock", "deadline")

    def __init__(self, deadline: float = math.inf, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Count down to a time of the clock, in seconds; by default without end."""
        self._clock = clock
        self.deadline = deadline
        """The time of the clock at which nothing is left."""

    def left(self) -> float:
        """Return the seconds that are left, never below zero."""
        return max(0.0, self.deadline - self._clock())


class Bot(ABC):
    """One seat of one match. Each match gets a new object, so all that is stored in it belongs to that match."""

    def __init__(self, match: Match) -> None:
        """Begin a match. A subclass that overrides this has to call it first."""
        self.match = match
        """The match: game, options, seat, partner, players, clock, cards."""
        self.random = Random(match.seed)
        """The bot's own random numbers, seeded anew for each decision from the match's seed and the decision's number.

        A bot that takes all chance from here, and decides by the view alone, plays a repeated match the same way, and
        also a match that a new process continues in the middle.
        """

    countdown: Countdown = Countdown()
    """The countdown of the current decision. A bot that asks another one passes it on, as it does ``random``."""

    threads: ClassVar[int] = 0
    """Number of worker threads, and so of matches that think at the same time; 0: one after the other, in no thread.

    A bot that thinks for more than a few milliseconds should use threads, or make ``choose`` asynchronous, so that its
    other matches do not wait. The methods of one object never run at the same time, whatever the number.
    """

    retiring: bool = False
    """True once this bot has called ``retire``."""

    def time_left(self) -> float:
        """Return the seconds that are left for the current decision; ``math.inf`` in a match without a clock.

        It is the whole time that the seat has, its bank included, less what has passed since the decision arrived. So
        the time that it waited behind other matches counts, but not the way of the answer back to the server.
        """
        return self.countdown.left()

    @abstractmethod
    def choose(self, decision: v1.Decision) -> Choosable | Awaitable[Choosable]:
        """Answer a decision.

        The decision is complete: ``view`` has all that the seat sees, ``actions`` all that is legal. Return one of:

        - a member of ``decision.actions`` that leaves nothing open,
        - the result of ``complete`` for any member,
        - an action of the game as ``v1.Action``,
        - any ``v1.Answer``, for instance ``decision.default_answer``.

        It may be ``async``. Then it runs under trio, for all matches at once, and is cancelled as soon as its answer
        is no longer needed.
        """

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Choosable | Awaitable[Choosable]:  # noqa: ARG002 - subclasses may use it
        """Answer a decision again after the server refused the answer. Takes the default answer unless overridden.

        It may be ``async``, like ``choose``.
        """
        return decision.default_answer

    def forfeited(self, notice: v1.Forfeited) -> None:  # noqa: B027 - most bots have nothing to do here
        """React to the forfeit of the seat: no more decisions come, and ``ended`` follows when the match is over."""

    def retire(self) -> None:
        """Take no more seats: this process finishes all its running matches and then exits.

        The server is told with the next answer, or when the match is over. A match that begins in the meantime is
        played too.
        """
        self.retiring = True

    def ended(self, end: v1.MatchEnd) -> None:  # noqa: B027 - most bots have nothing to do here
        """React to the end of the match. A void match has no outcome."""


BotFactory: TypeAlias = Callable[[Match], Bot]
"""A function that makes the bot for one seat of one match; usually the bot class itself."""
