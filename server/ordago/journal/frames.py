"""The bytes of a journal: a heading, then one frame after the other.

A frame is the length of its content and a check, each as four bytes, big-endian, and the content, which is never empty.
The heading names the format and holds a salt with its CRC-32; the check of a frame is the CRC-32 of the salt and the
content. Frames are written one after the other, so a file that was cut off, by a kill or by a power cut, has whole
frames and then the beginning of one, or nothing that is a frame: this tail is dropped. A whole frame behind something
that is none shows that the file was damaged otherwise. Without the salt, which nobody can foresee, a bot could say
something that looks like a frame, and a tail with half of it in it would be taken for damage.
"""

import secrets
import struct
import zlib
from collections.abc import Iterable
from typing import Final


class JournalError(Exception):
    """A journal cannot be read or written: the disk failed, or the file was changed."""


MAGIC: Final = b"ordago-journal-1\n"
"""The first bytes of a journal. The number is raised when an older Ordago could not read the rest."""
MAX_CONTENT_BYTES: Final = 1 << 26
"""The longest content; a longer one is damage, and its checksum need not be computed.

The longest are pages of matches when a journal is compacted. A choice takes less than 20 bytes in the records of
tests/corpus, so there is room for some three million in a match.
"""
_HEAD: Final = struct.Struct(">II")
_HEAD_BYTES: Final = _HEAD.size
_CHECK_BITS: Final = 32
# Looked up once: a frame is made for each choice.
_crc32: Final = zlib.crc32
_SALT: Final = struct.Struct(">8sI")
_HEADING_BYTES: Final = len(MAGIC) + _SALT.size


class Framing:
    """The framing of the contents of one journal."""

    def __init__(self, salt: bytes | None = None) -> None:
        """Frame with a salt of 8 bytes; ``None`` draws a new one."""
        self._salt = secrets.token_bytes(8) if salt is None else salt
        self._check = zlib.crc32(self._salt)

    def whole(self, contents: Iterable[bytes]) -> bytes:
        """Return a journal with some contents."""
        heading = MAGIC + _SALT.pack(self._salt, self._check)
        return heading + b"".join(map(self.framed, contents))

    def framed(self, content: bytes) -> bytes:
        """Return the frame with some content."""
        # As ``_HEAD`` packs them, which takes twice as long.
        head = len(content) << _CHECK_BITS | _crc32(content, self._check)
        return head.to_bytes(_HEAD_BYTES, "big") + content

    @classmethod
    def of(cls, data: bytes) -> "Framing":
        """Return the framing of a journal, given its data from the complete heading on.

        Raises:
            JournalError: the heading is damaged.
        """
        salt, check = _SALT.unpack_from(data, len(MAGIC))
        if zlib.crc32(salt) != check:
            raise JournalError(f"it is damaged at byte {len(MAGIC)}")
        return cls(salt)

    def content_at(self, data: bytes, position: int) -> bytes | None:
        """Return the content of the frame at a position of a journal, or ``None`` if none stands there."""
        begin = position + _HEAD_BYTES
        if begin >= len(data):
            return None
        length, check = _HEAD.unpack_from(data, position)
        if not 0 < length <= min(len(data) - begin, MAX_CONTENT_BYTES):
            return None
        content = data[begin : begin + length]
        return content if zlib.crc32(content, self._check) == check else None


def contents(data: bytes) -> list[bytes]:
    """Return the contents of the frames of a journal, in order, without a tail that was cut off.

    Raises:
        JournalError: it is no journal, or it is damaged.
    """
    if data[: len(MAGIC)] != MAGIC[: len(data)]:
        raise JournalError("it is not a journal of this version of Ordago")
    if len(data) < _HEADING_BYTES:
        return []
    framing, found, position = Framing.of(data), [], _HEADING_BYTES
    while (content := framing.content_at(data, position)) is not None:
        found.append(content)
        position += _HEAD_BYTES + len(content)
    if any(framing.content_at(data, later) is not None for later in range(position + 1, len(data))):
        raise JournalError(f"it is damaged at byte {position}")
    return found
