"""The digest of a record: 32 bytes that any change of the record changes.

Neither the bytes of a protobuf message nor its JSON are canonical: writers may order and encode the same content in
different ways. The digest is therefore the SHA-256 of an encoding of our own, called ``ordago-record-digest-1``, that
depends on the content alone. In it all numbers are big-endian.

- The input of the hash is the 23 bytes of ``ordago-record-digest-1`` in ASCII and a line feed, then the encoding of
  the record.
- A **message** is the encoding of its set fields in ascending order of their field numbers. A field that has presence
  (a message, a member of a oneof, or one marked ``optional``) is set when it is present, any other singular field when
  it differs from its default, a repeated field when it is not empty. Unknown fields do not count.
- A **field** is its number in 4 bytes, the number of its values in 4 bytes (1 for a singular field), and its values in
  order.
- A **value** of an integer, enum or bool type is 8 bytes: the number in two's complement, false and true as 0 and 1. An
  enum value is its number, known or not.
- A **value** of a string, bytes or message type is its length in 4 bytes, then the UTF-8 of the string, the bytes
  themselves, or the encoding of the message.

Records have no fields of floating point and no maps, and the encoding has nothing for them.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, cast, final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from ordago import v1
from ordago.fields import read_varint
from ordago.kept import Kept

DIGEST_BYTES: Final = 32

_ALGORITHM: Final = b"ordago-record-digest-1\n"
_LENGTH_BYTES: Final = 4
_INTEGER_BYTES: Final = 8
_INTEGER_MASK: Final = (1 << 8 * _INTEGER_BYTES) - 1
_MORE: Final = 0x80
"""Set in each byte of a number on the wire but the last."""
_KIND_BITS: Final = 3
_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
"""The kinds of fields on the wire that records have."""
_ZIGZAG_NUMBERS: Final = frozenset({FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64})
_NUMBERS: Final = _ZIGZAG_NUMBERS | {
    FieldDescriptor.TYPE_BOOL,
    FieldDescriptor.TYPE_ENUM,
    FieldDescriptor.TYPE_INT32,
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT32,
    FieldDescriptor.TYPE_UINT64,
}
_TEXTS: Final = frozenset({FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES})
_LONGEST_KEPT: Final = 64
"""Of bytes, serialized: what is longer is a hand of cards or the like, and does not come again."""
_MOST_KEPT: Final = 4096
"""Of encodings, each of less than a kilobyte: 8 MB for both kinds, whatever the records hold."""
_LISTED_LENGTHS: Final = 512
"""Of choices, encoded: longer ones name broken rules or many cards."""
_MOST_NUMBERS: Final = 1024
"""Of encodings of the numbers of a field, each of some hundred bytes: some megabytes for all fields."""


class _UnknownFieldError(Exception):
    """A message holds a field that the contract does not know."""


def digest(record: v1.MatchRecord) -> bytes:
    """Return the digest of a record, 32 bytes. Unknown fields do not count."""
    return digest_of_serialized(record.SerializeToString(deterministic=True))


def digest_of_serialized(record: bytes) -> bytes:
    """Return the digest of a ``v1.MatchRecord``, serialized deterministically by protobuf."""
    return hashlib.sha256(_ALGORITHM + _encoded_as(v1.MatchRecord, record)).digest()


@final
class Unencoded:
    """An entry that is encoded when the digest is made. Encoded it is several times as long, and like no other.

    Attributes:
        entry: the entry, as a serialized field of the record.
    """

    __slots__ = ("entry",)

    def __init__(self, entry: bytes) -> None:
        """Take the part, as it is called above."""
        self.entry: Final = entry

    def encoded(self) -> bytes:
        """Return the entry as it goes into the digest."""
        entry = self.entry
        length, at = _number(entry, 1)
        try:
            return _as_value(_ENTRY, entry, at, at + length)
        except _UnknownFieldError:
            # Behind the number of the field, and how many values it has.
            return _encoded_as(v1.MatchRecord, entry)[2 * _LENGTH_BYTES :]


@final
class EncodedRecord:
    """A record whose entries are encoded already, nearly all of them, as they go into its digest."""

    __slots__ = ("_after", "_before", "_entries", "_number")

    def __init__(self, before: bytes, entries: Sequence[bytes | Unencoded], after: bytes, *, number: int) -> None:
        """Take the parts.

        Args:
            before: the fields of the record before its entries, serialized deterministically by protobuf.
            entries: the entries in order, from ``encoded_event_entry`` and its like, each in one piece or several; or
                what they are made of.
            after: the fields behind them, serialized.
            number: how many entries there are.
        """
        self._before: Final = before
        self._entries: Final = entries
        self._after: Final = after
        self._number: Final = number

    def digest(self) -> bytes:
        """Return the digest of the record."""
        before, after = (_encoded_as(v1.MatchRecord, fields) for fields in (self._before, self._after))
        head = _ENTRIES.heading + _length(self._number) if self._number else b""
        entries = [piece if isinstance(piece, bytes) else piece.encoded() for piece in self._entries]
        return hashlib.sha256(b"".join((_ALGORITHM, before, head, *entries, after))).digest()


def encoded_choice(fields: bytes) -> bytes:
    """Return fields of a choice as they go into the digest. Some behind the others are so, too.

    Args:
        fields: some of the fields of a ``v1.RecordedChoice``, serialized as Ordago does it.
    """
    return _encoded_as(v1.RecordedChoice, fields)


def encoded_event_entry(event: bytes) -> bytes:
    """Return the entry of an event as it goes into the digest.

    Args:
        event: the ``v1.Event``, serialized as Ordago does it.
    """
    return _text(_EVENT.heading + _text(_encoded_as(v1.Event, event)))


class _Plan:
    """How the values of a field are encoded.

    Attributes:
        tag: what the field begins with on the wire, as a number.
        heading: what stands before its values: its number, and 1 where there is always one value.
        is_repeated: whether there may be several.
        is_number: whether they are numbers.
        is_zigzag: whether these numbers stand on the wire as twice what they are, or one less for those below zero.
        numbers: the field with a single number, encoded, by that number as it stands on the wire.
    """

    __slots__ = ("_kind", "heading", "is_number", "is_repeated", "is_zigzag", "numbers", "tag")

    def __init__(self, field: FieldDescriptor) -> None:
        """Make the plan of a field."""
        number = field.number.to_bytes(_LENGTH_BYTES, "big")
        self.is_repeated: Final = field.is_repeated
        self.is_number: Final = field.type in _NUMBERS
        self.is_zigzag: Final = field.type in _ZIGZAG_NUMBERS
        self.heading: Final = number if self.is_repeated else number + _length(1)
        wire = _VARINT if self.is_number and not self.is_repeated else _LENGTH_DELIMITED
        self.tag: Final = field.number << _KIND_BITS | wire
        self.numbers: Final[Kept[int, bytes]] = Kept(self._number, most=_MOST_NUMBERS)
        self._kind: Final = None if field.message_type is None else _kind_of(field.message_type)
        assert self.is_number or self._kind is not None or field.type in _TEXTS

    def _number(self, written: int) -> bytes:
        return self.heading + _integer(_signed(written) if self.is_zigzag else written)

    def add(self, parts: list[bytes], data: bytes, at: int, end: int) -> int:
        """Add a value that is no number, encoded, from what is serialized of it; return how long it is."""
        if self._kind is not None:
            return self._kind.add(parts, data, at, end)
        parts.append(_length(end - at))
        parts.append(data[at:end])
        return _LENGTH_BYTES + end - at


class _Kind:
    """How the messages of a kind are encoded.

    Attributes:
        plans: the plans of its fields by their tags.
    """

    __slots__ = ("_kept", "plans")

    def __init__(self, descriptor: Descriptor) -> None:
        """Make the plans of all fields."""
        self.plans: Final[dict[int, _Plan]] = {plan.tag: plan for plan in map(_Plan, descriptor.fields)}
        recurs = descriptor in _RECURRING
        self._kept: Final[Kept[bytes, bytes] | None] = Kept(self._value, most=_MOST_KEPT) if recurs else None

    def add(self, parts: list[bytes], data: bytes, at: int, end: int) -> int:
        """Add a message as the value of a field, encoded, from what is serialized of it; return how long it is."""
        if self._kept is None or end - at > _LONGEST_KEPT:
            return _add_value(self, parts, data, at, end)
        known = self._kept[data[at:end]]
        parts.append(known)
        return len(known)

    def _value(self, serialized: bytes) -> bytes:
        return _as_value(self, serialized, 0, len(serialized))


def _encoded_as(message_type: type[Message], serialized: bytes) -> bytes:
    """Encode a message of a type. Fields that the contract does not know do not count."""
    kind = _kind_of(message_type.DESCRIPTOR)
    try:
        return _encoded(kind, serialized)
    except _UnknownFieldError:
        known = message_type.FromString(serialized)
        known.DiscardUnknownFields()
        return _encoded(kind, known.SerializeToString(deterministic=True))


def _encoded(kind: _Kind, data: bytes) -> bytes:
    """Encode a message from what protobuf serialized of it: fields in the order of their numbers, lists packed.

    Raises:
        _UnknownFieldError: it, or a message in it, holds a field for which there is no plan.
    """
    parts: list[bytes] = []
    _add(kind, parts, data, 0, len(data))
    return b"".join(parts)


def _as_value(kind: _Kind, data: bytes, at: int, end: int) -> bytes:
    """Encode a message as the value of a field."""
    parts: list[bytes] = []
    _add_value(kind, parts, data, at, end)
    return b"".join(parts)


def _add_value(kind: _Kind, parts: list[bytes], data: bytes, at: int, end: int) -> int:
    """Add a message as the value of a field, encoded; return how long it is."""
    place = len(parts)
    parts.append(b"")
    length = _add(kind, parts, data, at, end)
    parts[place] = _length(length)
    return _LENGTH_BYTES + length


def _add(kind: _Kind, parts: list[bytes], data: bytes, at: int, end: int) -> int:
    """Add the fields of a message, encoded, from where it begins to where it ends; return how long they are.

    All of a message goes into one list, with the messages in it, since to join each of these for itself would cost
    more than to encode it.
    """
    length, plans = 0, kind.plans
    while at < end:
        # As in ``_number``: to call it would cost as much as all else that a field takes.
        tag, at = data[at], at + 1
        if tag >= _MORE:
            tag, at = read_varint(data, at - 1)
        plan = plans.get(tag)
        if plan is None:
            raise _UnknownFieldError
        # A number, or how many bytes follow.
        number, at = data[at], at + 1
        if number >= _MORE:
            number, at = read_varint(data, at - 1)
        if plan.is_repeated:
            added, at = _add_list(parts, plan, data, at, number, end)
            length += added
        elif plan.is_number:
            numbered = plan.numbers[number]
            parts.append(numbered)
            length += len(numbered)
        else:
            parts.append(plan.heading)
            length += len(plan.heading) + plan.add(parts, data, at, at + number)
            at += number
    return length


def _add_list(parts: list[bytes], plan: _Plan, data: bytes, at: int, length: int, end: int) -> tuple[int, int]:
    """Add a list, encoded, whose first value, or all of them where it is packed, takes so many bytes.

    Returns:
        How long it is, and where it ends among the bytes.
    """
    parts.append(plan.heading)
    added = len(plan.heading) + _LENGTH_BYTES
    if plan.is_number:
        numbers = _packed(plan, data[at : at + length])
        parts.append(_length(len(numbers) // _INTEGER_BYTES))
        parts.append(numbers)
        return added + len(numbers), at + length
    place, number = len(parts), 0
    parts.append(b"")
    while True:
        added += plan.add(parts, data, at, at + length)
        number += 1
        at += length
        if at == end:
            break
        tag, behind = _number(data, at)
        if tag != plan.tag:
            break
        length, at = _number(data, behind)
    parts[place] = _length(number)
    return added, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, and the place after it."""
    number = data[at]
    return (number, at + 1) if number < _MORE else read_varint(data, at)


def _signed(zigzag: int) -> int:
    return zigzag >> 1 ^ -(zigzag & 1)


def _packed(plan: _Plan, data: bytes) -> bytes:
    """Encode the numbers of a packed list."""
    if data.isascii() and not plan.is_zigzag:  # so each is a byte
        encoded = bytearray(_INTEGER_BYTES * len(data))
        encoded[_INTEGER_BYTES - 1 :: _INTEGER_BYTES] = data
        return bytes(encoded)
    at, numbers = 0, []
    while at < len(data):
        number, at = _number(data, at)
        numbers.append(_integer(_signed(number) if plan.is_zigzag else number))
    return b"".join(numbers)


def _written_length(length: int) -> bytes:
    return length.to_bytes(_LENGTH_BYTES, "big")


# Lengths are the same few again and again, and to look one up is cheaper than any call of Python.
_length: Final[Callable[[int], bytes]] = Kept(_written_length).__getitem__


def _integer(number: int) -> bytes:
    return (number & _INTEGER_MASK).to_bytes(_INTEGER_BYTES, "big")


def _text(content: bytes) -> bytes:
    return _length(len(content)) + content


@cache
def _kind_of(descriptor: Descriptor) -> _Kind:
    return _Kind(descriptor)


def _plan_of(kind: type[Message], name: str) -> _Plan:
    return _Plan(cast(FieldDescriptor, kind.DESCRIPTOR.fields_by_name[name]))


_RECURRING: Final = (v1.RecordEntry.DESCRIPTOR, v1.Action.DESCRIPTOR)
"""What happens and who does what is the same again and again in all matches of a game, but for the time it took."""
_ENTRIES: Final = _plan_of(v1.MatchRecord, "entries")
_ENTRY: Final = _kind_of(v1.RecordEntry.DESCRIPTOR)
_EVENT: Final = _plan_of(v1.RecordEntry, "event")
_CHOICE: Final = _plan_of(v1.RecordEntry, "choice")


def _choice_head(length: int) -> bytes:
    fields = _CHOICE.heading + _length(length)
    return _length(len(fields) + length) + fields


_CHOICE_HEADS: Final[list[bytes]] = [_choice_head(length) for length in range(_LISTED_LENGTHS)]


def encoded_choice_head(length: int) -> bytes:
    """Return what stands before the fields of a choice in the digest: so many bytes of ``encoded_choice``."""
    return _CHOICE_HEADS[length] if length < _LISTED_LENGTHS else _choice_head(length)
