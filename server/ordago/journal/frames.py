"""The bytes of a journal: a heading, then one frame after the other.

A frame is the length of its content and the CRC-32 of its content, each as four bytes, big-endian, and the content,
which is never empty. Frames are written one after the other, so a file that was cut off, by a kill or by a power cut,
has whole frames and then the beginning of one, or nothing that is a frame: this tail is dropped. A whole frame behind
something that is none shows that the file was damaged otherwise.
"""

import struct
import zlib
from typing import Final

from ordago.journal.errors import JournalError

HEADING: Final = b"ordago-journal-1\n"
"""What a journal begins with. The number grows when an older Ordago could not read what follows."""
MAX_CONTENT_BYTES: Final = 1 << 26
_HEAD: Final = struct.Struct(">II")


def framed(content: bytes) -> bytes:
    """Return the frame with some content."""
    return _HEAD.pack(len(content), zlib.crc32(content)) + content


def contents(data: bytes) -> list[bytes]:
    """Return the contents of the frames of a journal, in order, without a tail that was cut off.

    Raises:
        JournalError: it is no journal, or it is damaged.
    """
    if HEADING.startswith(data):
        return []
    if not data.startswith(HEADING):
        raise JournalError("it is no journal of this version of Ordago")
    found, position = [], len(HEADING)
    while (content := _content_at(data, position)) is not None:
        found.append(content)
        position += _HEAD.size + len(content)
    if any(_content_at(data, later) is not None for later in range(position + 1, len(data))):
        raise JournalError(f"it is damaged at byte {position}")
    return found


def _content_at(data: bytes, position: int) -> bytes | None:
    """Return the content of the frame at a position, or ``None`` if none stands there."""
    begin = position + _HEAD.size
    if begin >= len(data):
        return None
    length, check = _HEAD.unpack_from(data, position)
    if not 0 < length <= min(len(data) - begin, MAX_CONTENT_BYTES):
        return None
    content = data[begin : begin + length]
    return content if zlib.crc32(content) == check else None
