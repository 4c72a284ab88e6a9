"""Frames as bytes: frames with one message are written, and frames of bots are read if they hold nothing but choices.

Nearly all messages of bots are choices, nearly always with the same few fields. An encoding that differs from that of
most protobuf libraries is left to protobuf: to parse a choice with it and to read the fields of its message takes ten
times as long.
"""

from collections.abc import Callable, Mapping
from typing import Final, final

from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.cache import Cache
from ordago.wire.fields import numbers, tag, varint

_MESSAGE: Final = tag(v1.PlayRequest, "messages")[0]
_CHOICE: Final = tag(v1.BotMessage, "choice")[0]
_HANDLE: Final = tag(v1.Choice, "match_handle")[0]
_NUMBER: Final = tag(v1.Choice, "number")[0]
_ANSWER: Final = tag(v1.Choice, "answer")[0]
_THOUGHT_MS: Final = tag(v1.Choice, "thought_ms")[0]
_SHORT: Final = 0x80
"""Smaller lengths and numbers take one byte each."""
_BEFORE_A_CHOICE: Final = 4
"""The number of bytes before the fields of a choice: the tags of the message and the choice, and their lengths."""
_BITS: Final = 32
"""The number of bits of a number at most; protobuf cuts off any others."""


def _read_answer(serialized: bytes) -> bytes:
    return v1.Answer.FromString(serialized).SerializeToString()


# A game has few answers; a bot that sends other ones pays with its own time.
_answers: Final = Cache(_read_answer)
"""Answers re-encoded by protobuf, by the bytes from the bot; invalid bytes raise ``DecodeError``."""


@final
class ReceivedChoice:
    """A choice from a bot, as in ``v1.Choice``.

    Attributes:
        match_handle: the match, by its handle.
        number: the number of the decision.
        answer: the ``v1.Answer``, serialized.
        thought_ms: the thinking time that the bot reports, in milliseconds; ``None`` for no report.
    """

    __slots__ = ("answer", "match_handle", "number", "thought_ms")

    def __init__(self, match_handle: int, number: int, answer: bytes, thought_ms: int | None = None) -> None:
        """Take the values that are described above."""
        self.match_handle: Final = match_handle
        self.number: Final = number
        self.answer: Final = answer
        self.thought_ms: Final = thought_ms

    @classmethod
    def of(cls, choice: v1.Choice) -> "ReceivedChoice":
        """Return the choice in a message."""
        thought_ms = choice.thought_ms if choice.HasField("thought_ms") else None
        return cls(choice.match_handle, choice.number, choice.answer.SerializeToString(), thought_ms)


def read_choices(frame: bytes, *, most: int) -> list[ReceivedChoice] | None:
    """Return the choices of a frame; ``None`` if it may hold anything else, may be malformed, or holds too many.

    Args:
        frame: the frame.
        most: the number of choices that are read at most.
    """
    choices: list[ReceivedChoice] = []
    at, size = 0, len(frame)
    try:
        while at < size:
            end = at + 2 + frame[at + 1]
            choice = _read(frame, at, end) if end <= size else None
            if choice is None or len(choices) == most:
                return None
            choices.append(choice)
            at = end
    except (IndexError, DecodeError):
        return None
    return choices


def _read(frame: bytes, at: int, end: int) -> ReceivedChoice | None:
    """Return the choice of the message between two positions; ``None`` if it may be something else.

    Raises:
        IndexError: the frame ends inside it.
        DecodeError: its answer is invalid.
    """
    fields = at + _BEFORE_A_CHOICE
    if end - at > _SHORT or frame[at] != _MESSAGE or frame[at + 2] != _CHOICE or frame[at + 3] != end - fields:
        return None
    match_handle, at = _number(frame, fields, _HANDLE)
    number, at = _number(frame, at, _NUMBER)
    if match_handle < 0 or number < 0 or frame[at] != _ANSWER:
        return None
    after = at + 2 + frame[at + 1]
    thought_ms: int | None = None
    answer, at = frame[at + 2 : after], after
    if at < end:
        thought_ms, at = _number(frame, at, _THOUGHT_MS)
        if thought_ms < 0:
            return None
    return ReceivedChoice(match_handle, number, _answers[answer], thought_ms) if at == end else None


def _number(frame: bytes, at: int, tag: int) -> tuple[int, int]:
    """Return the number in the field with this tag at a position, and the position after it; -1 if there is none."""
    if frame[at] != tag:
        return -1, at
    number = shift = 0
    # Stop at 32 bits: an endless number could be as long as the frame, and slow to assemble.
    while shift < _BITS:
        at += 1
        number |= (frame[at] & 0x7F) << shift
        if frame[at] < _SHORT:
            return number if number < 1 << _BITS else -1, at + 1
        shift += 7
    return -1, at


def kinds_of(message: type[Message]) -> Mapping[str, tuple[str, bytes]]:
    """Return, for each type of body that a message has, the name of its field and its tag on the wire."""
    return {
        field.message_type.name: (field.name, tag(message, field.name))
        for field in message.DESCRIPTOR.fields
        if field.message_type is not None
    }


_MESSAGES_TAG: Final = tag(v1.PlayRequest, "messages")
_HANDLES: Final = numbers(tag(v1.Decision, "match_handle"))


def _head_of(kind: bytes) -> Callable[[int], bytes]:
    """Return a function from the length of a body to the beginning of a frame for bodies with this tag."""

    def head_before(length: int) -> bytes:
        head = kind + varint(length)
        return _MESSAGES_TAG + varint(len(head) + length) + head

    return head_before


_HEADS: Final[Mapping[bytes, Cache[int, bytes]]] = {
    kind: Cache(_head_of(kind))
    for message in (v1.ServerMessage, v1.BotMessage)
    for _name, kind in kinds_of(message).values()
}
"""The bytes before the body in a frame of one message, by the tag of the body and its length."""
_DECISION_HEADS: Final = _HEADS[tag(v1.ServerMessage, "decision")]
_ACCEPTED_HEADS: Final = _HEADS[tag(v1.ServerMessage, "accepted")]


def frame(kind: bytes, body: bytes) -> bytes:
    """Return the frame of one message, given the tag of its body, from ``kinds_of``, and the serialized body."""
    return _HEADS[kind][len(body)] + body


def decision_frame(match_handle: int, rest: bytes) -> bytes:
    """Return the frame of a ``v1.Decision`` that is serialized without the match handle, its first field."""
    body = _HANDLES[match_handle] + rest
    return _DECISION_HEADS[len(body)] + body


def accepted_frame(match_handle: int, rest: bytes) -> bytes:
    """Return the frame of a ``v1.Accepted`` that is serialized without the match handle, its first field."""
    body = _HANDLES[match_handle] + rest
    return _ACCEPTED_HEADS[len(body)] + body


_LEGAL_ACTION: Final = tag(v1.Answer, "legal_action")[0]
"""The tag of the legal action in an answer."""
_TYPED: Final = tag(v1.Answer, "action")[0]
"""The tag of the typed action in an answer."""
_BEFORE_AN_ACTION: Final = 2
"""The bytes before a short number or a short typed action in an answer, the length included."""


def short_answer(answer: bytes) -> int | bytes | None:
    """Return the content of a short answer, without parsing its message.

    Returns:
        The number below 128 of the legal action, or the short ``v1.Action`` that is the whole answer; ``None`` for any
        other answer.
    """
    length = len(answer) - _BEFORE_AN_ACTION
    if length == 0 and answer[0] == _LEGAL_ACTION:
        return answer[1]
    is_typed = 0 <= length < _SHORT and answer[0] == _TYPED and answer[1] == length
    return answer[_BEFORE_AN_ACTION:] if is_typed else None
