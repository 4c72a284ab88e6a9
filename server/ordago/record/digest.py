"""The digest of a record: 32 bytes that any change of the record changes.

Neither the bytes of a protobuf message nor its JSON are canonical: writers may order and encode the same content in
different ways. The digest is therefore the SHA-256 of one of the forms that protobuf can write, called
``ordago-record-digest-1``. This form depends on the content alone.

- The input of the hash is the 23 bytes of ``ordago-record-digest-1`` in ASCII and a line feed, then the record, a
  message.
- A **message** is its set fields in ascending order of their field numbers. A field that has presence (a message, a
  member of a oneof, or one marked ``optional``) is set when it is present, any other singular field when it differs
  from its default, a repeated field when it is not empty. Unknown fields do not count.
- A **field** is its tag and its value. A list of numbers is one field, whose value is the bytes of all its numbers,
  one after the other. In any other list each value is a field of its own, in order.
- A **tag** is a number: the field's number times 8, plus 2 unless its value is a single number.
- A **number** takes as few bytes as possible, with 7 bits in each, the lowest first; all bytes but the last have their
  highest bit set. For numbers below zero, add 2**64 first. A zigzag number n is written as 2n, or as -2n - 1 if it is
  below zero. False and true are 0 and 1. An enum value is its number, known or not.
- A **value** of any other kind is its length in bytes, as a number, then the UTF-8 of the string, the bytes themselves,
  the message, or the numbers of a list.

Records have no floating-point or fixed-width fields, no groups and no maps, so the form does not define them. Protobuf
writes this form in Python if it is told to be deterministic, and Ordago's own serialization is in it too, so the bytes
of a record that was just made need only be hashed.
"""

import hashlib
from typing import Final

from ordago import v1

DIGEST_BYTES: Final = 32
FORMAT_VERSION: Final = 1
"""The version of the format of records."""

_ALGORITHM: Final = b"ordago-record-digest-1\n"


def digest(record: v1.MatchRecord) -> bytes:
    """Return the digest of a record, 32 bytes. Unknown fields do not count."""
    known = v1.MatchRecord()
    known.CopyFrom(record)
    known.DiscardUnknownFields()
    return digest_of_written(known.SerializeToString(deterministic=True))


def digest_of_written(record: bytes) -> bytes:
    """Return the digest of a record, given as it is written."""
    return hashlib.sha256(_ALGORITHM + record).digest()
