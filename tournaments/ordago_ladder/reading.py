"""Reading files that somebody else put there: no links, nothing but plain files, and never more than was reckoned with.

Whoever verifies a folder has it from somebody whom he does not trust.
"""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MEGABYTE: Final = 1 << 20
MOST_BYTES: Final = 32 * _MEGABYTE
"""The size of a file that is read at all: that of the ledger of a hundred thousand matches."""
MOST_RECORD_BYTES: Final = 4 * _MEGABYTE
"""The size of a record. One of 300 deals in which nobody erred has half a megabyte."""
MOST_EVENT_BYTES: Final = _MEGABYTE
"""The size of an event file: that of thousands of entrants."""
MOST_NAMES: Final = 500_000
"""How many names a folder may hold."""


class UnreadableError(Exception):
    """A file that cannot be read, or is none that anybody should read. Whoever made the folder erred."""


def read_file(path: Path, *, most: int = MOST_BYTES, follow: bool = False) -> bytes:
    """Return what a plain file holds.

    Args:
        path: the file.
        most: how many bytes it may have.
        follow: whether it may be a link, since the user named it himself.

    Raises:
        UnreadableError: it cannot be read, is no plain file, or is larger. The message is what is the matter with it.
    """
    try:
        descriptor = os.open(path.resolve() if follow else path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            _check(os.fstat(descriptor), most)
            data = file.read(most + 1)
    except (OSError, ValueError, RuntimeError) as error:
        raise UnreadableError(_reason(path, error)) from None
    if len(data) > most:
        raise UnreadableError(_too_large(most))
    return data


def _check(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(f"it is {_kind(status.st_mode)}, and a plain file is wanted")
    if status.st_size > most:
        raise UnreadableError(_too_large(most))


def _too_large(most: int) -> str:
    return f"it has more than {most:,} bytes, and nothing that was published is so large"


def _reason(path: Path, error: Exception) -> str:
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return getattr(error, "strerror", None) or "its name is none"
    if stat.S_ISREG(mode):
        return getattr(error, "strerror", None) or str(error)
    return f"it is {_kind(mode)}, and a plain file is wanted"


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return kinds.get(stat.S_IFMT(mode), "no file")


def names_in(folder: Path) -> Iterator[str]:
    """Yield the names in a folder, ascending.

    Raises:
        UnreadableError: it is no folder that can be read, or holds too many names.
    """
    if folder.is_symlink():
        raise UnreadableError("it is a link, and a folder is wanted")
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, MOST_NAMES + 1)]
    except OSError as error:
        raise UnreadableError(str(error.strerror)) from None
    if len(names) > MOST_NAMES:
        raise UnreadableError(f"it holds more than {MOST_NAMES:,} files")
    yield from sorted(names)
