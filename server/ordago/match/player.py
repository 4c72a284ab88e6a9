"""What a match says to whoever sits at a seat, and what it hears from him."""

from typing import Final, Protocol, final

from ordago import v1
from ordago.match.clock import TimeLeft
from ordago.match.decisions import SerializedDecision
from ordago.match.messages import Acceptance
from ordago.native import mypyc_attr


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Question:
    """A decision that a seat has to take. The match waits until it gets a ``Reply`` to it.

    Attributes:
        seat: the seat.
        decision: what it is asked.
        time: the time that the seat has, from the moment when the decision is put first.
        again: whether it was put before, and its answer was refused: the decision is open still, and its time runs on.
    """

    __slots__ = ("again", "decision", "seat", "time")

    def __init__(self, seat: int, decision: SerializedDecision, time: TimeLeft, *, again: bool = False) -> None:
        """Ask a seat."""
        self.seat: Final = seat
        self.decision: Final = decision
        self.time: Final = time
        self.again: Final = again

    def asked_again(self) -> "Question":
        """Return the same question, whose answer was refused."""
        return Question(self.seat, self.decision, self.time, again=True)


@mypyc_attr(acyclic=True, free_list_len=1)
@final
class Reply:
    """What came of a question. Times count from the moment when the decision was put first, refusals included.

    Attributes:
        answer: the ``v1.Answer``, serialized; ``None`` where ``fault`` says why there is none.
        elapsed: how long the bot had the question, in seconds; time that the server itself lost is not in it.
        fault: why the default answer is to be taken, if it is.
        thought_ms: how long the bot says it thought; ``None``: it does not say.
        away: how long the bot was disconnected, in seconds.
        lost: how much time the server itself lost, in seconds.
    """

    __slots__ = ("answer", "away", "elapsed", "fault", "lost", "thought_ms")

    def __init__(
        self,
        answer: bytes | None,
        elapsed: float,
        fault: v1.Fault = v1.FAULT_UNSPECIFIED,
        thought_ms: int | None = None,
        away: float = 0.0,
        lost: float = 0.0,
    ) -> None:
        """Reply to the open question."""
        self.answer: Final = answer
        self.elapsed: Final = elapsed
        self.fault: Final = fault
        self.thought_ms: Final = thought_ms
        self.away: Final = away
        self.lost: Final = lost

    def without_answer(self, fault: v1.Fault) -> "Reply":
        """Return the same reply, whose answer counts for nothing, for this reason."""
        return Reply(None, self.elapsed, fault, self.thought_ms, self.away, self.lost)


class PlayerFailedError(Exception):
    """A bot of the server's own failed in a match, which is void: nobody wins or loses by that. Says what happened."""


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
