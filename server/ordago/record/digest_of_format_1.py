"""The digest of records whose ``format_version`` is below 2: they are read for ever, and not written any more.

It is the SHA-256 of an encoding of its own, ``ordago-record-digest-1``, that says more lavishly what today's says. All
numbers in it are big-endian.

- The input of the hash is the 23 bytes of ``ordago-record-digest-1`` in ASCII and a line feed, then the encoding of
  the record.
- A **message** is the encoding of its set fields, as today, in ascending order of their field numbers.
- A **field** is its number in 4 bytes, the number of its values in 4 bytes (1 for a singular field), and its values in
  order.
- A **value** of an integer, enum or bool type is 8 bytes: the number in two's complement, false and true as 0 and 1.
- A **value** of a string, bytes or message type is its length in 4 bytes, then the UTF-8 of the string, the bytes
  themselves, or the encoding of the message.
"""

import hashlib
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ordago import v1

_ALGORITHM: Final = b"ordago-record-digest-1\n"
_LENGTH_BYTES: Final = 4
_INTEGER_BYTES: Final = 8
_INTEGER_MASK: Final = (1 << 8 * _INTEGER_BYTES) - 1


def digest_of_format_1(record: v1.MatchRecord) -> bytes:
    """Return the digest of a record, 32 bytes. Unknown fields do not count."""
    return hashlib.sha256(_ALGORITHM + _message(record)).digest()


def _message(message: Message) -> bytes:
    # In the order of their numbers, without those that are unknown.
    return b"".join([_field(field, value) for field, value in message.ListFields()])


def _field(field: FieldDescriptor, value: Any) -> bytes:  # noqa: ANN401 - of any field
    values = list(value) if field.is_repeated else [value]
    return b"".join([_length(field.number), _length(len(values)), *map(_value, values)])


def _value(value: Any) -> bytes:  # noqa: ANN401 - of any field
    if isinstance(value, int):
        return (value & _INTEGER_MASK).to_bytes(_INTEGER_BYTES, "big")
    content = _message(value) if isinstance(value, Message) else value.encode() if isinstance(value, str) else value
    return _length(len(content)) + content


def _length(length: int) -> bytes:
    return length.to_bytes(_LENGTH_BYTES, "big")
