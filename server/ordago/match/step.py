"""One step of a match: the reply that it goes on with, and all that comes of it, as values.

The referee calls nobody. It returns what was decided, what each seat is told and what is asked next, so that a server
can carry a step out, a process can send it over a socket, and a test can look at it.
"""

from typing import Final, NamedTuple, TypeAlias, final

from ordago import v1
from ordago.match.messages import Acceptance
from ordago.match.seat_clock import TimeLeft
from ordago.record import FinishedRecord
from ordago.wire.decision_parts import SerializedDecision


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

    def serialized(self) -> bytes:
        """Return the ``v1.Decision`` as it is put first, serialized."""
        return self.decision.serialized(self.time.serialized())

    def message(self) -> v1.Decision:
        """Return the same as a message."""
        return v1.Decision.FromString(self.serialized())

    def asked_again(self) -> "Question":
        """Return the same question, whose answer was refused."""
        return Question(self.seat, self.decision, self.time, again=True)


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


Message: TypeAlias = v1.MatchStart | v1.Refused | v1.Forfeited
"""What a seat is told before the end of a match, without the match handle, which is the connection's business."""


class Told(NamedTuple):
    """A message to one seat."""

    seat: int
    message: Message | Acceptance


class PlayedOut(NamedTuple):
    """A match that came to its end."""

    record: FinishedRecord
    ends: tuple[v1.MatchEnd, ...]
    """The last message to each seat. It is no part of ``told``, since the result may have to be kept first."""


@final
class Step:
    """What the referee did with one reply, for whoever drives the match to carry out.

    The order matters: ``entries`` have to be kept before anybody is told anything, or a match that goes on after a
    crash would contradict what a bot has seen.

    Attributes:
        entries: the choices and forfeits that were entered into the record, in order, as serialized fields of it.
        told: what seats are told, in order.
        seen: what everybody saw happen, in order: events as serialized fields, as ``EventParts`` has them.
        question: what is asked next. ``None`` with ``played_out`` ``None``: nobody is left to ask, and others should
            get their turn before the match goes on.
        played_out: what came of the match, once it is over.
    """

    __slots__ = ("entries", "played_out", "question", "seen", "told")

    def __init__(
        self,
        entries: list[bytes],
        told: list[Told],
        seen: list[bytes],
        question: Question | None = None,
        played_out: PlayedOut | None = None,
    ) -> None:
        """Take what was done, as it is called above."""
        self.entries: Final = entries
        self.told: Final = told
        self.seen: Final = seen
        self.question: Final = question
        self.played_out: Final = played_out
