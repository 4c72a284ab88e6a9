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
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from ordago import v1

DIGEST_BYTES: Final = 32

_ENTRIES: Final = v1.MatchRecord.DESCRIPTOR.fields_by_name["entries"]
_SHUFFLE: Final = v1.RecordEntry.DESCRIPTOR.fields_by_name["shuffle"]
_EVENT: Final = v1.RecordEntry.DESCRIPTOR.fields_by_name["event"]
_ALGORITHM: Final = b"ordago-record-digest-1\n"
_LENGTH_BYTES: Final = 4
_INTEGER_BYTES: Final = 8
_INTEGER_MASK: Final = (1 << 8 * _INTEGER_BYTES) - 1
_HIGHEST_IN_A_BYTE: Final = 15
"""The highest number of a field whose tag is one byte."""
_PLAIN_NUMBERS: Final = frozenset(
    {FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_ENUM, FieldDescriptor.TYPE_BOOL}
)
"""The types of numbers that are serialized as they are."""
_LONGEST_KEPT: Final = 64
"""Of bytes, serialized: what is longer is a hand of cards or the like, and does not come again."""
_MOST_KEPT: Final = 4096
"""Of encodings, each of less than a kilobyte: 8 MB for both kinds, whatever the records hold."""


def digest(record: v1.MatchRecord) -> bytes:
    """Return the digest of a record, 32 bytes. Unknown fields do not count."""
    return hashlib.sha256(_ALGORITHM + _message(record)).digest()


def digest_of_parts(heading: v1.MatchRecord, entries: Sequence[bytes]) -> bytes:
    """Return the digest of a record whose entries are encoded already.

    Args:
        heading: the record without entries.
        entries: each entry in order, from ``encoded_entry``; there is at least one.
    """
    fields = {field.number: _field(field, value) for field, value in heading.ListFields()}
    heading_of_entries, *_ = _plan_of(_ENTRIES)
    fields[_ENTRIES.number] = b"".join((heading_of_entries, _length(len(entries)), *entries))
    return hashlib.sha256(_ALGORITHM + b"".join([fields[number] for number in sorted(fields)])).digest()


def encoded_entry(entry: v1.RecordEntry) -> bytes:
    """Return an entry as it goes into the digest of its record."""
    return _part(entry)


def encoded_event_entry(event: bytes) -> bytes:
    """Return the entry of an event as it goes into the digest.

    Args:
        event: the ``v1.Event``, serialized as Ordago does it.
    """
    content = _plan_of(_EVENT).heading + _encoded_event(event)
    return _length(len(content)) + content


def encoded_shuffle_entry(shuffle: bytes) -> bytes:
    """Return the entry of a shuffle as it goes into the digest.

    Args:
        shuffle: the ``v1.RecordedShuffle``, serialized as Ordago does it.
    """
    content = _plan_of(_SHUFFLE).heading + _part_of(v1.RecordedShuffle, shuffle)
    return _length(len(content)) + content


class _Plan(NamedTuple):
    """How the values of a field are encoded."""

    heading: bytes
    """What stands before them: the number of the field, and of its values where there is always one."""
    repeated: bool
    encoded: Callable[[object], bytes]


def _message(message: Message) -> bytes:
    return b"".join([_field(field, value) for field, value in message.ListFields()])


def _field(field: FieldDescriptor, value: object) -> bytes:
    heading, repeated, encoded = _plan_of(field)
    if not repeated:
        return heading + encoded(value)
    values = cast(Sequence[object], value)
    return b"".join((heading, _length(len(values)), *map(encoded, values)))


@cache
def _plan_of(field: FieldDescriptor) -> _Plan:
    number = field.number.to_bytes(_LENGTH_BYTES, "big")
    encoded = _RECURRING.get(field.message_type) or _ENCODED[field.cpp_type]
    return _Plan(number if field.is_repeated else number + _length(1), field.is_repeated, encoded)


# Numbers and lengths are the same few again and again, and a look into a cache is cheaper than any call of Python.
@lru_cache(maxsize=_MOST_KEPT)
def _length(length: int) -> bytes:
    return length.to_bytes(_LENGTH_BYTES, "big")


@lru_cache(maxsize=_MOST_KEPT)
def _integer(value: object) -> bytes:
    return (cast(int, value) & _INTEGER_MASK).to_bytes(_INTEGER_BYTES, "big")


def _text(value: object) -> bytes:
    content = value if isinstance(value, bytes) else cast(str, value).encode()
    return _length(len(content)) + content


def _part(value: object) -> bytes:
    content = _message(cast(Message, value))
    return _length(len(content)) + content


def _part_of(kind: type[Message], serialized: bytes) -> bytes:
    # Where all bytes are below 128, each number, tag and length is one of them.
    content = _bytewise(serialized, _bytewise_plans(kind.DESCRIPTOR)) if serialized.isascii() else None
    return _part(kind.FromString(serialized)) if content is None else _length(len(content)) + content


class _BytewisePlan(NamedTuple):
    """How a field is encoded whose numbers are a byte each."""

    heading: bytes
    is_list: bool = False
    """Whether it is a packed list. Otherwise it is a number, or a message:"""
    message: Descriptor | None = None


def _bytewise(serialized: bytes, plans: Mapping[int, _BytewisePlan]) -> bytes | None:
    """Encode a message as it is serialized, without reading it; ``None`` where that is not possible."""
    parts: list[bytes] = []
    at = 0
    while at < len(serialized):
        plan, value = plans.get(serialized[at]), serialized[at + 1]
        at += 2
        if plan is None:
            return None
        parts.append(plan.heading)
        if plan.is_list:
            parts += (_length(value), _spread(serialized[at : at + value]))
            at += value
        elif plan.message is not None:
            content = _bytewise(serialized[at : at + value], _bytewise_plans(plan.message))
            if content is None:
                return None
            parts += (_length(len(content)), content)
            at += value
        else:
            parts.append(_integer(value))
    return b"".join(parts)


def _spread(numbers: bytes) -> bytes:
    """Return numbers of a byte each, encoded one behind the other."""
    encoded = bytearray(_INTEGER_BYTES * len(numbers))
    encoded[_INTEGER_BYTES - 1 :: _INTEGER_BYTES] = numbers
    return bytes(encoded)


@cache
def _bytewise_plans(kind: Descriptor) -> Mapping[int, _BytewisePlan]:
    """Return by their tags those fields of a message that can be encoded without reading them."""
    plans: dict[int, _BytewisePlan] = {}
    for field in kind.fields:
        plan = _plan_of(field)
        if field.number > _HIGHEST_IN_A_BYTE:
            continue
        if field.is_repeated and field.type in _PLAIN_NUMBERS:
            plans[field.number << 3 | 2] = _BytewisePlan(plan.heading, is_list=True)
        elif field.message_type is not None and not field.is_repeated:
            plans[field.number << 3 | 2] = _BytewisePlan(plan.heading, message=field.message_type)
        elif field.type in _PLAIN_NUMBERS:
            plans[field.number << 3] = _BytewisePlan(plan.heading)
    return plans


def _recurring(kind: type[Message]) -> Callable[[bytes], bytes]:
    """Return how messages of a kind, serialized, are encoded of which many are the same."""

    def made(serialized: bytes) -> bytes:
        return _part_of(kind, serialized)

    kept = lru_cache(maxsize=_MOST_KEPT)(made)
    return lambda content: kept(content) if len(content) <= _LONGEST_KEPT else made(content)


def _from_message(encoded: Callable[[bytes], bytes]) -> Callable[[object], bytes]:
    return lambda value: encoded(cast(Message, value).SerializeToString())


_encoded_event: Final = _recurring(v1.Event)
_encoded_action: Final = _recurring(v1.Action)

_RECURRING: Final[dict[object, Callable[[object], bytes]]] = {
    v1.Event.DESCRIPTOR: _from_message(_encoded_event),
    v1.Action.DESCRIPTOR: _from_message(_encoded_action),
}
"""What happens, and who does what, is the same again and again in all matches of a game."""

_ENCODED: Final[dict[int, Callable[[object], bytes]]] = {
    FieldDescriptor.CPPTYPE_INT32: _integer,
    FieldDescriptor.CPPTYPE_INT64: _integer,
    FieldDescriptor.CPPTYPE_UINT32: _integer,
    FieldDescriptor.CPPTYPE_UINT64: _integer,
    FieldDescriptor.CPPTYPE_BOOL: _integer,
    FieldDescriptor.CPPTYPE_ENUM: _integer,
    FieldDescriptor.CPPTYPE_STRING: _text,
    FieldDescriptor.CPPTYPE_MESSAGE: _part,
}
