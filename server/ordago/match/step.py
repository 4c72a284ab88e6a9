"""One step of a match, as values: the reply that it continues with, and its results.

The referee calls nobody. It returns the decisions taken, the messages to each seat and the next question, so that a
server can carry a step out, a process can send it over a socket, and a test can inspect it.
"""

from typing import Final, NamedTuple, TypeAlias, final

from ordago import v1
from ordago.match.messages import Acceptance
from ordago.match.seat_clock import TimeLeft
from ordago.record import FinishedRecord
from ordago.wire.decision_parts import SerializedDecision


@final
class Question:
    """A decision that a seat has to take. The match waits for a ``Reply`` to it.

    Attributes:
        seat: the seat.
        decision: the decision that it is asked for.
        time: the time of the seat, counted from when the decision is first put.
        again: True if it was put before and its answer was refused: the decision is still open, and its time runs on.
    """

    __slots__ = ("again", "decision", "seat", "time")

    def __init__(self, seat: int, decision: SerializedDecision, time: TimeLeft, *, again: bool = False) -> None:
        """Ask a seat."""
        self.seat: Final = seat
        self.decision: Final = decision
        self.time: Final = time
        self.again: Final = again

    def serialized(self) -> bytes:
        """Return the ``v1.Decision`` as it is first put, serialized."""
        return self.decision.serialized(self.time.serialized())

    def message(self) -> v1.Decision:
        """Return the same ``v1.Decision`` as a message."""
        return v1.Decision.FromString(self.serialized())

    def asked_again(self) -> "Question":
        """Return the same question, after a refused answer."""
        return Question(self.seat, self.decision, self.time, again=True)


@final
class Reply:
    """The reply to a question. Times count from when the decision was first put, refusals included.

    Attributes:
        answer: the ``v1.Answer``, serialized; ``None`` where ``fault`` says why there is none.
        elapsed: the time that the bot had the question, in seconds, without delays of the server itself.
        fault: the reason for taking the default answer, if it is to be taken.
        thought_ms: the thinking time that the bot reports; ``None`` for no report.
        away: the time that the bot was disconnected, in seconds.
        lost: the delay caused by the server itself, in seconds.
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
        """Return the same reply with its answer discarded for this fault."""
        return Reply(None, self.elapsed, fault, self.thought_ms, self.away, self.lost)


class PlayerFailedError(Exception):
    """A bot run by the server failed, so the match is void: nobody wins or loses by it. The message says why."""


Message: TypeAlias = v1.MatchStart | v1.Refused | v1.Forfeited
"""A message to a seat before the end of a match, without the match handle, which the connection adds."""


class SeatMessage(NamedTuple):
    """A message to one seat."""

    seat: int
    message: Message | Acceptance


class PlayedOut(NamedTuple):
    """A match that has ended."""

    record: FinishedRecord
    ends: tuple[v1.MatchEnd, ...]
    """The last message to each seat. It is not part of ``told``, since the result may have to be stored first."""


@final
class Step:
    """The results of one reply, for the driver of the match to carry out.

    The order matters: ``entries`` have to be stored before any message is sent. Otherwise a match resumed after a crash
    could contradict what a bot has seen.

    Attributes:
        entries: the choices and forfeits that were entered into the record, in order, as serialized fields of it.
        told: the messages to the seats, in order.
        seen: the public part of the events, in order: serialized fields, as in ``EventParts``.
        question: the next question. ``None`` while ``played_out`` is ``None`` too: nobody is left to ask, and other
            matches should get their turn before this one continues.
        played_out: the result of the match, once it is over.
    """

    __slots__ = ("entries", "messages", "played_out", "question", "seen")

    def __init__(
        self,
        entries: list[bytes],
        messages: list[SeatMessage],
        seen: list[bytes],
        question: Question | None = None,
        played_out: PlayedOut | None = None,
    ) -> None:
        """Take the values that are described above."""
        self.entries: Final = entries
        self.messages: Final = messages
        self.seen: Final = seen
        self.question: Final = question
        self.played_out: Final = played_out
