"""A bot as its author writes it, a class whose objects play one seat of one match each, and the answers it gives."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from random import Random
from typing import ClassVar, TypeAlias

from ordago import v1
from ordago_bot.match import Match

Choosable: TypeAlias = v1.LegalAction | v1.Action | v1.Answer
"""What a bot may return."""


def answer_of(chosen: object) -> v1.Answer:
    """Return the answer that stands for what a bot chose.

    Raises:
        TypeError: it is nothing that can be chosen.
    """
    if isinstance(chosen, v1.Answer):
        return chosen
    if isinstance(chosen, v1.LegalAction):
        return v1.Answer(legal_action=chosen.id)
    if isinstance(chosen, v1.Action):
        return v1.Answer(action=chosen)
    raise TypeError(f"choose() has to return a LegalAction, an Action or an Answer, not {type(chosen).__name__}")


def complete(action: v1.LegalAction, random: Random) -> v1.Answer:
    """Return an answer that names a legal action and fills its open parts by chance."""
    answer = v1.Answer(legal_action=action.id)
    if action.HasField("amount"):
        answer.amount = random.randint(action.amount.min, action.amount.max)
    for pick in action.picks:
        answer.cards.extend(random.sample(list(pick.cards), random.randint(pick.min, pick.max)))
    return answer


class Bot(ABC):
    """One seat of one match. A new object is made for each, so whatever it keeps belongs to that match."""

    def __init__(self, match: Match) -> None:
        """Begin a match. Who overrides this calls it first."""
        self.match = match
        """The match: game, options, seat, partner, players, clock, cards."""
        self.random = Random(match.seed)
        """Chance of the bot's own. It begins anew with each decision, from the seed of the match and the number of the
        decision. So a bot that draws from it alone, and decides by the view alone, plays the same whenever the same
        match is played again, and also when a new process carries on a match in the middle."""

    threads: ClassVar[int] = 0
    """How many matches are thought about at once, each in a thread of its own. 0: one after the other, without one.

    A bot that thinks for longer than some milliseconds asks for threads, or makes ``choose`` asynchronous, so that its
    other matches do not wait for it. The methods of one object never run at the same time, whatever this says.
    """

    retiring: bool = False
    """Whether this bot called ``retire``."""

    @abstractmethod
    def choose(self, decision: v1.Decision) -> Choosable | Awaitable[Choosable]:
        """Answer a decision.

        The decision is complete: ``view`` is all that the seat sees, ``actions`` all that is legal. The answer is
        one of ``decision.actions`` if it has no open parts, or what ``complete`` makes of it, or an action of the
        game as ``v1.Action``, or any ``v1.Answer``, for instance ``decision.default_answer``.

        It may be ``async``: then it runs under trio, for as many matches at once as there are, and is cancelled when
        nobody waits for the answer any more.
        """

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Choosable | Awaitable[Choosable]:  # noqa: ARG002 - others may look at it
        """Answer a decision again after the server refused the answer. It takes the default unless overridden.

        It may be ``async``, as ``choose`` may.
        """
        return decision.default_answer

    def forfeited(self, notice: v1.Forfeited) -> None:  # noqa: B027 - most bots have nothing to do here
        """Learn that the seat is forfeited: it is asked no more, and ``ended`` follows when the match is over."""

    def retire(self) -> None:
        """Take no more seats: all running matches of this process are played to their end, then it ends.

        It is said with the next answer, or when the match is over; a match that begins at the same time is played too.
        """
        self.retiring = True

    def ended(self, end: v1.MatchEnd) -> None:  # noqa: B027 - most bots have nothing to do here
        """Learn how the match ended."""


BotFactory: TypeAlias = Callable[[Match], Bot]
"""Makes the bot that plays one seat; usually the class itself."""
