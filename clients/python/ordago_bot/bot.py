"""What a bot author writes: a class whose objects play one seat of one match each."""

from abc import ABC, abstractmethod
from random import Random

from ordago import v1
from ordago_bot.answers import Choosable


class Bot(ABC):
    """One seat of one match. A new object is made for each, so whatever it keeps belongs to that match."""

    def __init__(self, match: v1.MatchStart) -> None:
        """Begin a match. Who overrides this calls it first."""
        self.match = match
        """The match: game, options, seat, players, clock."""
        self.random = Random(match.seed)
        """Chance of the bot's own. It begins anew with each decision, from the seed of the match and the number of the
        decision. So a bot that draws from it alone, and decides by the view alone, plays the same whenever the same
        match is played again, and also when a new process carries on a match in the middle."""

    retiring: bool = False
    """Whether this bot called ``retire``."""

    @abstractmethod
    def choose(self, decision: v1.Decision) -> Choosable:
        """Answer a decision.

        The decision is complete: ``view`` is all that the seat sees, ``actions`` all that is legal. The answer is
        one of ``decision.actions`` if it has no open parts, or what ``complete`` makes of it, or an action of the
        game as ``v1.Action``, or any ``v1.Answer``, for instance ``decision.default_answer``.
        """

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Choosable:  # noqa: ARG002 - others may look at it
        """Answer a decision again after the server refused the answer. It takes the default unless overridden."""
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
