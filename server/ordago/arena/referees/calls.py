"""What a server and its referees say to each other: calls, many of them in one frame.

A call is a plain tuple: the name of a method at the other end, the number of the match, and what else it takes. Both
ends are the same program, one the parent of the other, so plain values as Python itself writes them down are enough:
messages of protobuf would cost more than to play a card.
"""

import marshal
import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

Call: TypeAlias = tuple[object, ...]
"""A method of whoever hears it, a match, and what else it takes: numbers, bytes, strings, tuples of them, nothing."""

_LENGTH: Final = struct.Struct(">I")


def framed(calls: Sequence[Call]) -> bytes:
    """Return the frame that holds some calls, in order."""
    content = marshal.dumps(cast(Any, tuple(calls)))
    return _LENGTH.pack(len(content)) + content


class Frames:
    """Makes frames again of what comes in pieces. The end of one that never came is never told."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._pieces = bytearray()

    def taken(self, piece: bytes | bytearray) -> Iterator[Sequence[Call]]:
        """Take one more piece, and go through the calls of each frame that is whole by now."""
        self._pieces += piece
        while len(self._pieces) >= _LENGTH.size:
            end = _LENGTH.size + int(_LENGTH.unpack_from(self._pieces)[0])
            if len(self._pieces) < end:
                return
            content = bytes(memoryview(self._pieces)[_LENGTH.size : end])
            del self._pieces[:end]
            # It comes from this program's own process, at the other end of a socket that nobody else has.
            yield cast(Sequence[Call], marshal.loads(content))  # noqa: S302 - as above
