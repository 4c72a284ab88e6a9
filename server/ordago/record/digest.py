"""The digest of a record: 32 bytes that any change of the record changes.

Neither the bytes of a protobuf message nor its JSON are canonical: writers may order and encode the same content in
different ways. The digest is therefore the SHA-256 of one form among those that protobuf can write, called
``ordago-record-digest-1``, that depends on the content alone. In it nothing is left open.

- The input of the hash is the 23 bytes of ``ordago-record-digest-1`` in ASCII and a line feed, then the record, a
  message.
- A **message** is its set fields in ascending order of their field numbers. A field that has presence (a message, a
  member of a oneof, or one marked ``optional``) is set when it is present, any other singular field when it differs
  from its default, a repeated field when it is not empty. Unknown fields do not count.
- A **field** is its tag and its value. A list of numbers is one field, whose value are the bytes of all its numbers,
  one behind the other; of any other list each value is a field of its own, in order.
- A **tag** is a number: that of the field times 8, and 2 more unless its value is a single number.
- A **number** takes as few bytes as it can of 7 bits each, the lowest first, and all but the last have their highest
  bit set. Numbers below zero count as 2**64 more; but a number n of a type of zigzag is written as 2n from zero on and
  as -2n - 1 below. False and true are 0 and 1. An enum value is its number, known or not.
- A **value** of anything else is its length in bytes, a number, then the UTF-8 of the string, the bytes themselves, the
  message, or the numbers of a list.

Records have no fields of floating point or of fixed width, no groups and no maps, and the form has nothing for them.
It is what protobuf writes in Python where it is told to be deterministic, and what Ordago puts together by itself, so
the bytes of a record that was just made need only be hashed.
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
