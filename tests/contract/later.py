"""What a later server may say otherwise than an earlier one, and what it may not: the rule of docs/stability.md."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

# Texts for people and names that are drawn by chance: whether they are there is compared, not what they say.
_FREE = {
    "ordago.v1.Welcome.session_id",
    "ordago.v1.Welcome.resume_token",
    "ordago.v1.Software.version",
    "ordago.v1.Software.build",
}
_SENTENCE = "sentence"
# What a server allows may grow. Zero is: no limit.
_MAY_GROW = {
    "ordago.v1.Limits.max_frame_bytes",
    "ordago.v1.Limits.max_frame_messages",
    "ordago.v1.Limits.messages_per_second",
    "ordago.v1.Limits.resume_window_ms",
}


class Contract:
    """A version of the contract: what its clients make of the frames of any server."""

    def __init__(self, descriptors: Path) -> None:
        """Read its descriptors, as buf builds them."""
        pool = DescriptorPool()
        for file in FileDescriptorSet.FromString(descriptors.read_bytes()).file:
            pool.Add(file)
        self._response: type[Any] = GetMessageClass(pool.FindMessageTypeByName("ordago.v1.PlayResponse"))

    def messages(self, frames: Iterable[bytes]) -> list[Any]:
        """Return the messages of some frames, but for those that clients of this version do not know."""
        heard = [message for frame in frames for message in self._response.FromString(frame).messages]
        return [message for message in heard if message.WhichOneof("body")]


@cache
def contract_of(descriptors: Path) -> Contract:
    """Return a version of the contract, which is read once."""
    return Contract(descriptors)


def differences_of_all(earlier: Sequence[Message], later: Sequence[Message]) -> Iterator[str]:
    """Yield a sentence for each way in which a later server breaks what an earlier one has said.

    Both are as clients of the earlier version see them.
    """
    for number, (one, other) in enumerate(zip(earlier, later, strict=False), start=1):
        kind, now = (str(message.WhichOneof("body")) for message in (one, other))
        if kind != now:
            yield f"message {number} was {kind} and is {now}"
            return
        for sentence in differences(getattr(one, kind), getattr(other, kind), kind):
            yield f"in message {number}, {sentence}"
    for message in earlier[len(later) :]:
        yield f"this is not said any more: {_shown(message)}"
    for message in later[len(earlier) :]:
        yield f"this was not said before: {_shown(message)}"


def differences(earlier: Message, later: Message, path: str) -> Iterator[str]:
    """Yield the same of one message."""
    if earlier == later:
        return
    for field in earlier.DESCRIPTOR.fields:
        yield from _at_field(field, earlier, later, f"{path}.{field.name}")


def _at_field(field: FieldDescriptor, earlier: Message, later: Message, path: str) -> Iterator[str]:
    one, other = getattr(earlier, field.name), getattr(later, field.name)
    if field.is_repeated:
        yield from _at_list(field, one, other, path)
    elif field.has_presence and earlier.HasField(field.name) != later.HasField(field.name):
        yield f"{path} was {'' if earlier.HasField(field.name) else 'not '}set"
    elif field.message_type is not None:
        yield from differences(one, other, path)
    elif not _agrees(field, one, other):
        yield f"{path} was {one!r} and is {other!r}"


def _at_list(field: FieldDescriptor, earlier: Sequence[Any], later: Sequence[Any], path: str) -> Iterator[str]:
    if len(earlier) != len(later):
        yield f"{path} had {len(earlier)} entries and has {len(later)}"
        return
    for number, (one, other) in enumerate(zip(earlier, later, strict=True)):
        if field.message_type is not None:
            yield from differences(one, other, f"{path}[{number}]")
        elif one != other:
            yield f"{path}[{number}] was {one!r} and is {other!r}"


def _agrees(field: FieldDescriptor, earlier: Any, later: Any) -> bool:
    if field.full_name in _FREE or field.name == _SENTENCE:
        return bool(earlier) == bool(later)
    if field.full_name in _MAY_GROW:
        return not later or (bool(earlier) and later >= earlier)
    return bool(earlier == later)


def _shown(message: Message) -> str:
    return text_format.MessageToString(message, as_one_line=True)[:200]
