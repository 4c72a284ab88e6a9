"""Published files: written only where they differ, and read back without trust in their origin.

A folder to verify comes from an untrusted source. So reading follows no links, takes only plain files, and limits their
size and number.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from ordago.files import write_whole

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MEGABYTE: Final = 1 << 20
MOST_BYTES: Final = 32 * _MEGABYTE
"""The largest file that is read: the size of the ledger of a hundred thousand matches."""
MOST_RECORD_BYTES: Final = 2 * _MEGABYTE
"""The largest record. One of 300 deals without faults has a third of a megabyte."""
MOST_NAMES: Final = 500_000
"""The most names in a folder."""


class UnreadableError(Exception):
    """A file that cannot be read, or is not safe to read."""

    def __init__(self, path: Path, reason: str) -> None:
        """Take the path and the reason."""
        super().__init__(reason)
        self.path = path


def read_file(path: Path, *, most: int = MOST_BYTES, follow: bool = False) -> bytes:
    """Return the content of a plain file.

    Args:
        path: the file.
        most: the largest size, in bytes.
        follow: allow a link, for a path that the user named.

    Raises:
        UnreadableError: it cannot be read, is not a plain file, or is too large. The message is the reason.
    """
    with opened_plain(path, follow=follow) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnreadableError(path, f"it has more than {most:,} bytes, more than any published file")
    return data


def read_text(path: Path, *, most: int = MOST_BYTES) -> str:
    """Return the text of a plain file.

    Raises:
        UnreadableError: it cannot be read, is not a plain file, is too large, or is not UTF-8 text.
    """
    try:
        return read_file(path, most=most).decode()
    except UnicodeDecodeError:
        raise UnreadableError(path, "it is not UTF-8 text") from None


@contextmanager
def opened_plain(path: Path, *, follow: bool = False) -> Iterator[BinaryIO]:
    """Open a plain file for reading; see ``read_file``.

    Raises:
        UnreadableError: it cannot be read, or is not a plain file.
    """
    try:
        descriptor = os.open(path.resolve() if follow else path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode):
                raise UnreadableError(path, _unfit(mode))
            yield file
    except (OSError, ValueError, RuntimeError) as error:
        raise UnreadableError(path, _reason(path, error)) from None


def _reason(path: Path, error: Exception) -> str:
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return getattr(error, "strerror", None) or "its name is invalid"
    if stat.S_ISREG(mode):
        return getattr(error, "strerror", None) or str(error)
    return _unfit(mode)


def _unfit(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return f"it is {kinds.get(stat.S_IFMT(mode), 'something else')}, not a plain file"


def names_in(folder: Path) -> Iterator[str]:
    """Yield the names in a folder, ascending.

    Raises:
        UnreadableError: it is not a readable folder, or holds too many names.
    """
    if folder.is_symlink():
        raise UnreadableError(folder, "it is a link, not a folder")
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, MOST_NAMES + 1)]
    except OSError as error:
        raise UnreadableError(folder, str(error.strerror)) from None
    if len(names) > MOST_NAMES:
        raise UnreadableError(folder, f"it holds more than {MOST_NAMES:,} files")
    yield from sorted(names)


def write_published(path: Path, content: bytes) -> None:
    """Write a file, unless it already has this content. A missing folder is created.

    Raises:
        OSError: it could not be written.
    """
    try:
        if read_file(path, most=len(content)) == content:
            return
    except UnreadableError:
        pass  # It is missing, larger, or not a plain file: write it.
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
