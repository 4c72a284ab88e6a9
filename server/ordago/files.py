"""Files that are written completely or not at all, and files that only one user can read."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600
"""Private files are created with these modes, so that they are never open to others, whatever the umask."""
_FOR_ALL: Final = 0o666
"""Readable and writable as far as the umask of the process allows."""
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, or replace it. When this returns, the file is safe from a power cut.

    Raises:
        OSError: it could not be written; what was there before stays.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        _write_new(part, data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    # Not by ``open``, which makes three more system calls: at each one a thread releases the interpreter lock, and may
    # have to wait for another thread that holds it.
    descriptor = os.open(path, _NEW, _FOR_ALL)
    try:
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:] if written else data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Wait until the content of a file is safe from a power cut."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are safe from a power cut."""
    descriptor = os.open(folder, _FLAGS)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def private_folder(path: Path) -> None:
    """Create a folder that nobody else can look into, or close an existing one to all others.

    Raises:
        OSError: it cannot be created, or it belongs to another user and is open to others.
    """
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    try:
        _close_to_others(path, PRIVATE_FOLDER)
    except PermissionError:
        reason = "it belongs to another user, and others can read it"
        raise PermissionError(errno.EPERM, reason, str(path)) from None


def private_file(path: Path) -> None:
    """Create an empty file that nobody else can read, or close an existing one to all others.

    Raises:
        OSError: it cannot be created, or the path is no file.
    """
    # An existing one is not opened: closing it would release the locks that this process has on it.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
    if not path.is_file():
        raise FileExistsError(errno.EEXIST, "it is no file", str(path))
    _close_to_others(path, PRIVATE_FILE)


def _close_to_others(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) & ~mode:
        path.chmod(mode)
