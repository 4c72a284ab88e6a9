"""Serialized fields, from which a message can be joined without serializing all of it again.

Concatenated serialized fields are a serialized message; in the order of their numbers it is byte for byte the one that
protobuf makes. So recurring fields are serialized once and joined again and again. A field that never changes is best
made by protobuf itself, as a message in which nothing else is set; the functions here are for fields that differ each
time.
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
"""The number of varints that are kept. It only bounds the memory."""
_NOT_LONG: Final = 512
"""Heads are kept for contents of fewer bytes than this."""
_LONGEST_SHIFT: Final = 70
"""A varint has ten bytes at most, of 7 bits each."""
_SMALL_NUMBERS: Final = 2048
"""Smaller numbers are in a list: nearly all lengths, and nearly all numbers of decisions and events."""
_WRITER: "Final[BytesWriter | None]" = BytesWriter() if IS_COMPILED else None
"""A buffer in which compiled functions join bytes, one function at a time. It takes a third of the time of ``join`` for
each field, and half that of ``bytes`` for a dozen numbers. The interpreter lock is held throughout.
"""


def tag(message: type[Message], name: str) -> bytes:
    """Return the tag of a field of a message. Numbers are taken to be unsigned, lists of them to be packed."""
    field = message.DESCRIPTOR.fields_by_name[name]
    delimited_type = field.is_repeated or field.type in _LENGTH_DELIMITED_TYPES
    return varint(field.number << 3 | (_LENGTH_DELIMITED if delimited_type else _VARINT))


def delimited(tag: bytes, content: bytes) -> bytes:
    """Return the field with this tag and this serialized content: a message, a text, bytes or a packed list."""
    length = len(content)
    return tag + (_SMALL[length] if length < _SMALL_NUMBERS else varint(length)) + content


def number(tag: bytes, value: int) -> bytes:
    """Return the field with this tag that holds a number of at least 0; empty for 0."""
    if not value:
        return b""
    return tag + (_SMALL[value] if 0 < value < _SMALL_NUMBERS else varint(value))


def joined(fields: list[bytes]) -> bytes:
    """Concatenate fields."""
    writer = _WRITER
    if writer is None:
        return b"".join(fields)
    writer.truncate(0)
    for field in fields:
        writer.write(field)
    return writer.getvalue()


def headed(head: bytes, numbers: tuple[int, ...]) -> bytes:
    """Return the head of a packed list followed by its numbers, which are from 0 to 127 and so one byte each."""
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
    """A field with a message, a text or bytes that is written often and usually short."""

    __slots__ = ("_heads", "_tag", "_within")

    def __init__(self, tag: bytes, *, within: bytes = b"") -> None:
        """Prepare a field.

        Args:
            tag: the tag of the field.
            within: the tag of an enclosing field, whose message holds this field alone; empty for none.
        """
        self._tag: Final = tag
        self._within: Final = within
        self._heads: Final[list[bytes]] = [self._written(bytes(length))[:-length] for length in range(1, _NOT_LONG)]
        """The bytes before a content, by its length less one."""

    def of(self, content: bytes) -> bytes:
        """Return the field with a content, like ``delimited``."""
        length = len(content)
        return self._heads[length - 1] + content if 0 < length < _NOT_LONG else self._written(content)

    def _written(self, content: bytes) -> bytes:
        field = delimited(self._tag, content)
        return delimited(self._within, field) if self._within else field


def numbers(tag: bytes) -> Cache[int, bytes]:
    """Return a table of the field with this tag, by the number that it holds, like ``number``."""
    return Cache(partial(number, tag))


def list_heads(tag: bytes, longest: int) -> tuple[bytes, ...]:
    """Return the head of a packed list for each length up to the longest; empty for the empty list.

    The numbers follow it as one byte each, as long as they are from 0 to 127, as all cards are.
    """
    return (b"", *(tag + varint(length) for length in range(1, longest + 1)))


def _written(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


# Numbers and lengths are the same few again and again, and a dict lookup is cheaper than any Python call.
# In a compiled build a list lookup takes a tenth of that.
varint: Final[Callable[[int], bytes]] = Cache(_written, most=_KEPT_NUMBERS).__getitem__
"""Return a number of at least 0 as a varint."""
_SMALL: Final[list[bytes]] = [_written(number) for number in range(_SMALL_NUMBERS)]


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the varint at a position, and the position after it.

    Raises:
        IndexError: it is cut off, or longer than any varint may be.
    """
    number = shift = 0
    while data[at] >= 0x80:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if shift == _LONGEST_SHIFT:
            raise IndexError("a number has more bytes than any")
    return number | data[at] << shift, at + 1
