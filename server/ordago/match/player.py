"""What a match says to whoever sits at a seat, and what it hears from him."""

from typing import NamedTuple, Protocol

from ordago import v1
from ordago.match.clock import TimeLeft
from ordago.match.decisions import SerializedDecision
from ordago.match.messages import Acceptance


class Question(NamedTuple):
    """A decision that a seat has to take. The match waits until it gets a ``Reply`` to it."""

    seat: int
    decision: SerializedDecision
    time: TimeLeft
    """The time that the seat has, from the moment when the decision is put first."""
    again: bool = False
    """Whether it was put before, and its answer was refused: the decision is open still, and its time runs on."""


class Reply(NamedTuple):
    """What came of a question. Times count from the moment when the decision was put first, refusals included."""

    answer: v1.Answer | None
    """The answer; ``None`` where ``fault`` says why there is none."""
    elapsed: float
    """How long the bot had the question, in seconds; time that the server itself lost is not in it."""
    fault: v1.Fault = v1.FAULT_UNSPECIFIED
    thought_ms: int | None = None
    """How long the bot says it thought; ``None``: it does not say."""
    away: float = 0.0
    """How long the bot was disconnected, in seconds."""
    lost: float = 0.0
    """How much time the server itself lost, in seconds."""


class Player(Protocol):
    """Whoever sits at one seat of one match. It fills in the match handle of the messages that it is given."""

    def begin(self, start: v1.MatchStart) -> None:
        """Tell that the match begins."""

    def refuse(self, refused: v1.Refused) -> None:
        """Tell that an answer was not taken."""

    def accept(self, accepted: Acceptance) -> None:
        """Tell that the decision is closed."""

    def forfeit(self, forfeited: v1.Forfeited) -> None:
        """Tell that the seat is forfeited: it is asked no more."""


class Onlooker(Protocol):
    """Whoever looks on at a match and holds no cards. He is asked nothing, and may read what he hears when he likes."""

    news: list[bytes]
    """What he sees happen is added here: what every seat sees at least, as ``EventParts`` says it."""
