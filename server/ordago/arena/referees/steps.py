"""Calls between a server and its referees, many to a frame, and the steps of a referee as plain values in them.

A call is a plain tuple: the name of a method at the other end, the number of the match, and further arguments. Both
ends are the same program, one the parent of the other, so Python's own serialization of plain values (``marshal``)
is enough; protobuf messages would cost more than playing a card. A step is carried out by the same code wherever its
referee is (``play.tell``), so both ends only convert it to plain values and back.
"""

import marshal
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

from ordago import v1
from ordago.cache import Cache
from ordago.match import Acceptance, Message, PlayedOut, Question, SeatMessage, SerializedDecision, Step, TimeLeft
from ordago.record import FinishedRecord

Call: TypeAlias = tuple[object, ...]
"""The name of a method of the receiver, the number of a match, and arguments: numbers, bytes, strings, tuples, None."""

_LENGTH: Final = struct.Struct(">I")


def framed(calls: Sequence[Call]) -> bytes:
    """Return a frame with these calls, in order: the length in 4 bytes, big-endian, then the calls."""
    content = marshal.dumps(cast(Any, tuple(calls)))
    return _LENGTH.pack(len(content)) + content


class Frames:
    """Assembles frames from a stream. An incomplete frame at its end is dropped silently."""

    def __init__(self) -> None:
        """Begin without data."""
        self._pieces = bytearray()

    def taken(self, piece: bytes | bytearray) -> Iterator[Sequence[Call]]:
        """Add a piece of the stream, and yield the calls of each frame that is complete."""
        self._pieces += piece
        while len(self._pieces) >= _LENGTH.size:
            end = _LENGTH.size + int(_LENGTH.unpack_from(self._pieces)[0])
            if len(self._pieces) < end:
                return
            content = bytes(memoryview(self._pieces)[_LENGTH.size : end])
            del self._pieces[:end]
            # Safe to unmarshal: the other end of this private socket is a process of the same program.
            yield cast(Sequence[Call], marshal.loads(content))  # noqa: S302 - as above


PlainMessage: TypeAlias = tuple[int, int, Any]
"""A seat, the kind of a message, and the message: serialized, or the parts of an ``Acceptance``."""
PlainQuestion: TypeAlias = tuple[int, tuple[int, bytes, bytes], tuple[int, ...], bool]
"""A seat, the parts of a ``SerializedDecision``, those of a ``TimeLeft``, and True if it is asked again."""
PlainStep: TypeAlias = tuple[
    tuple[bytes, ...],
    tuple[PlainMessage, ...],
    tuple[bytes, ...],
    PlainQuestion | None,
    tuple[bytes, bytes, bytes, tuple[bytes, ...]] | None,
]
"""The fields of a ``Step``, in order. The last one is a finished record, its digest, refusals, and the end messages."""

_ACCEPTED: Final = 0
_MESSAGES: Final[tuple[type[Any], ...]] = (v1.MatchStart, v1.Refused, v1.Forfeited)
"""The other kinds of messages, numbered from 1."""


def plain_step(step: Step, *, watched: bool) -> PlainStep:
    """Return a step as plain values.

    Args:
        step: the step.
        watched: True if the match has onlookers; otherwise public events are left out.
    """
    return (
        tuple(step.entries),
        tuple([_plain_message(message) for message in step.messages]),
        tuple(step.seen) if watched else (),
        None if step.question is None else _plain_question(step.question),
        None if step.played_out is None else _plain_end(step.played_out),
    )


def _plain_message(addressed: SeatMessage) -> PlainMessage:
    seat, message = addressed
    if isinstance(message, Acceptance):
        return (seat, _ACCEPTED, message.parts)
    return (seat, 1 + _MESSAGES.index(type(message)), message.SerializeToString())


def _plain_question(question: Question) -> PlainQuestion:
    decision, time = question.decision, question.time
    parts = (decision.number, decision.before_clock, decision.after_clock)
    left = (time.decision_ms, time.bank_ms, time.lag_credit_ms, time.disconnect_bank_ms)
    return (question.seat, parts, left, question.again)


def _plain_end(played_out: PlayedOut) -> tuple[bytes, bytes, bytes, tuple[bytes, ...]]:
    record = played_out.record
    return (
        record.serialized,
        record.digest,
        record.refusals,
        tuple([end.SerializeToString() for end in played_out.ends]),
    )


def _time_left(milliseconds: tuple[int, ...]) -> TimeLeft:
    return TimeLeft(*milliseconds)


_TIMES: Final[Cache[tuple[int, ...], TimeLeft]] = Cache(_time_left)
"""A cache of times left, so that equal ones, as most successive ones are, are serialized only once."""


def step_of(plain: PlainStep, *, match_id: str) -> Step:
    """Return the step of some plain values.

    Args:
        plain: the values, as ``plain_step`` returns them.
        match_id: the ID of the match.
    """
    entries, messages, seen, question, end = plain
    return Step(
        list(entries),
        [_message_of(each) for each in messages],
        list(seen),
        None if question is None else _question_of(question),
        None if end is None else _end_of(end, match_id),
    )


def _message_of(plain: PlainMessage) -> SeatMessage:
    seat, kind, said = plain
    message: Message | Acceptance = Acceptance(*said) if kind == _ACCEPTED else _MESSAGES[kind - 1].FromString(said)
    return SeatMessage(seat, message)


def _question_of(plain: PlainQuestion) -> Question:
    seat, (number, before_clock, after_clock), left, again = plain
    return Question(seat, SerializedDecision(number, before_clock, after_clock), _TIMES[left], again=again)


def _end_of(plain: tuple[bytes, bytes, bytes, tuple[bytes, ...]], match_id: str) -> PlayedOut:
    record, digest, refusals, ends = plain
    finished = FinishedRecord(match_id, record, digest=digest, refusals=refusals)
    return PlayedOut(finished, tuple([v1.MatchEnd.FromString(end) for end in ends]))
