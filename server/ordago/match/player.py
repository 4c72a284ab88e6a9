"""What a match needs of whoever sits at a seat."""

from typing import NamedTuple, Protocol

from ordago import v1
from ordago.match.decisions import Decision


class Reply(NamedTuple):
    """What came of a question."""

    answer: v1.Answer | None
    """The answer; ``None`` where ``fault`` says why there is none."""
    elapsed: float
    """The time from the sending of the question to the arrival of the answer, in seconds."""
    fault: v1.Fault = v1.FAULT_UNSPECIFIED


class Player(Protocol):
    """Whoever sits at one seat of one match. It fills in the match handle of the messages that it is given."""

    def begin(self, start: v1.MatchStart) -> None:
        """Tell that the match begins."""

    async def ask(self, decision: Decision, *, seconds: float) -> Reply:
        """Put a question, and return when it is answered, or when this much time has passed since it was sent."""

    async def ask_again(self, refused: v1.Refused, *, seconds: float) -> Reply:
        """Tell that an answer was not taken, and return when the next comes, or when this much more time passed.

        The elapsed time of the reply counts from the sending of the decision still.
        """

    def accept(self, accepted: v1.Accepted) -> None:
        """Tell that the decision is closed."""

    def end(self, end: v1.MatchEnd) -> None:
        """Tell that the match is over."""
