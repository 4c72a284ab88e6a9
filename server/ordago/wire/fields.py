"""Serialized fields, from which a message can be put together without serializing all of it again.

Serialized fields that stand one behind the other are a serialized message; where they stand in the order of their
numbers it is byte for byte the one that protobuf makes. What is often the same is therefore serialized once and joined
again and again. A field that does not change is best made by protobuf itself, as a message in which nothing else is
filled in; the functions here are for those that differ each time.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import IS_COMPILED
from ordago.cache import Cache

if TYPE_CHECKING:
    from librt.strings import BytesWriter

_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
_LENGTH_DELIMITED_TYPES: Final = frozenset(
    {FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES}
)
_KEPT_NUMBERS: Final = 16_384
_NOT_LONG: Final = 512
"""Of contents of fewer bytes it is known what stands before them."""
_LONGEST_SHIFT: Final = 70
"""A number takes ten bytes at most, of 7 bits each."""
_SMALL_NUMBERS: Final = 2048
"""Numbers below it are in a list: nearly all lengths, and nearly all numbers of decisions and events."""
_WRITER: "Final[BytesWriter | None]" = BytesWriter() if IS_COMPILED else None
"""Where compiled functions put bytes side by side, one function at a time: a third of what ``join`` takes for each
field, and half of what ``bytes`` takes for a dozen numbers. Nothing in between lets go of the interpreter."""


def tag(message: type[Message], name: str) -> bytes:
    """Return what a field of a message begins with. Numbers are taken to be unsigned, lists of them to be packed."""
    field = message.DESCRIPTOR.fields_by_name[name]
    delimited_type = field.is_repeated or field.type in _LENGTH_DELIMITED_TYPES
    return varint(field.number << 3 | (_LENGTH_DELIMITED if delimited_type else _VARINT))


def delimited(tag: bytes, content: bytes) -> bytes:
    """Return the field with this tag that holds a message, a text, bytes or a packed list, serialized already."""
    length = len(content)
    return tag + (_SMALL[length] if length < _SMALL_NUMBERS else varint(length)) + content


def number(tag: bytes, value: int) -> bytes:
    """Return the field with this tag that holds a number from 0 on. Nothing stands for 0."""
    if not value:
        return b""
    return tag + (_SMALL[value] if 0 < value < _SMALL_NUMBERS else varint(value))


def joined(fields: list[bytes]) -> bytes:
    """Return fields one behind the other."""
    writer = _WRITER
    if writer is None:
        return b"".join(fields)
    writer.truncate(0)
    for field in fields:
        writer.write(field)
    return writer.getvalue()


def headed(head: bytes, numbers: tuple[int, ...]) -> bytes:
    """Return what a packed list begins with, and its numbers: from 0 to 127, of which each is a byte."""
    writer = _WRITER
    if writer is None:
        return head + bytes(numbers)
    writer.truncate(0)
    writer.write(head)
    for value in numbers:
        writer.append(value)
    return writer.getvalue()


@final
class Field:
    """A field that holds a message, a text or bytes, which are short as a rule, for those that are written often."""

    __slots__ = ("_heads", "_tag", "_within")

    def __init__(self, tag: bytes, *, within: bytes = b"") -> None:
        """Prepare a field.

        Args:
            tag: what it begins with.
            within: what a field begins with that holds a message of this field alone; empty where none is meant.
        """
        self._tag: Final = tag
        self._within: Final = within
        self._heads: Final[list[bytes]] = [self._written(bytes(length))[:-length] for length in range(1, _NOT_LONG)]
        """What stands before a content, by its length less one."""

    def of(self, content: bytes) -> bytes:
        """Return the field with a content, as ``delimited`` does."""
        length = len(content)
        return self._heads[length - 1] + content if 0 < length < _NOT_LONG else self._written(content)

    def _written(self, content: bytes) -> bytes:
        field = delimited(self._tag, content)
        return delimited(self._within, field) if self._within else field


def numbers(tag: bytes) -> Cache[int, bytes]:
    """Return a table of the field with this tag, by the number from 0 on that it holds, as ``number`` has it."""
    return Cache(partial(number, tag))


def list_heads(tag: bytes, longest: int) -> tuple[bytes, ...]:
    """Return what a packed list of each length up to the longest begins with: nothing, for one that is empty.

    Numbers from 0 to 127, as all codes of cards are, follow it as the bytes that they are.
    """
    return (b"", *(tag + varint(length) for length in range(1, longest + 1)))


def _written(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


# Numbers and lengths are the same few again and again, and a look at what is kept is cheaper than any call of Python.
# Where Ordago is compiled, a look into a list is a tenth of that.
varint: Final[Callable[[int], bytes]] = Cache(_written, most=_KEPT_NUMBERS).__getitem__
"""Returns a number from 0 on as protobuf writes it."""
_SMALL: Final[list[bytes]] = [_written(number) for number in range(_SMALL_NUMBERS)]


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, and the place after it.

    Raises:
        IndexError: it does not end, or not where any number of protobuf does.
    """
    number = shift = 0
    while data[at] >= 0x80:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if shift == _LONGEST_SHIFT:
            raise IndexError("a number has more bytes than any")
    return number | data[at] << shift, at + 1
