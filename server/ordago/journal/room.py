"""Room on a disk that belongs to a file before anything is written there.

Blocks beyond the end of a file belong to it: other programs that fill the disk cannot take them, and data appended to
the file goes into them. A separate reserve file, deleted when needed, would free its space to the programs that
filled the disk.
"""

import ctypes
import errno
import os
import sys
from typing import Final

_KEEP_SIZE: Final = 1
"""``FALLOC_FL_KEEP_SIZE``: the size of the file stays. ``os.posix_fallocate`` has no such mode."""
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def reserve(descriptor: int, *, begin: int, length: int) -> bool:
    """Reserve disk space for some bytes of a file. Return True if they have it, or if the system cannot reserve any.

    Args:
        descriptor: the file, open for writing.
        begin: where it ends.
        length: the number of bytes to be written after that.

    Raises:
        OSError: the disk failed.
    """
    if not sys.platform.startswith("linux"):
        return True
    library = ctypes.CDLL(None, use_errno=True)
    offset, size = ctypes.c_int64(begin), ctypes.c_int64(length)
    number = 0 if not library.fallocate64(descriptor, _KEEP_SIZE, offset, size) else ctypes.get_errno()
    if number in _NO_ROOM:
        return False
    if number in (errno.EIO, errno.EROFS):
        raise OSError(number, os.strerror(number))
    # Some file systems have no such thing, and a journal there has to go without.
    return True
