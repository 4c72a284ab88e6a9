"""The folder that an entrant builds in: what is looked at before a build, what is mended after it, and its digest."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.readable import own_python

_PROGRAM: Final = b"\x7fELF"
_LENT_TO_OTHERS: Final = stat.S_ISUID | stat.S_ISGID
_WITHOUT_WAITING: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def unfit_to_build_in(folder: Path, hidden: Iterable[Path]) -> str:
    """Return why nobody may build in a folder, as the end of a sentence; nothing if he may.

    Args:
        folder: its real path.
        hidden: what nobody may read who builds.

    Raises:
        OSError: it cannot be looked at.
    """
    for path in (path.resolve() for path in hidden):
        if path.is_relative_to(folder) or folder.is_relative_to(path):
            return f"cannot begin in {folder}: {path} lies there, or around it; give it a folder beside that"
    for path in (path.resolve() for path in own_python()):
        if path.is_relative_to(folder):
            return f"cannot begin in {folder}: Ordago itself runs from {path}; give it a folder of its own"
    shared = _linked_elsewhere(folder)
    if shared is not None:
        return (
            f"cannot begin: the file {shared} has another name elsewhere; copy the folder, links too, to have it alone"
        )
    return ""


def _linked_elsewhere(folder: Path) -> Path | None:
    """Return a file that has a name outside of the folder, too, where writing to it would change somebody else's."""
    left: dict[tuple[int, int], tuple[int, str]] = {}
    for entry in _below(folder):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            inode = (status.st_dev, status.st_ino)
            left[inode] = (left.get(inode, (status.st_nlink, ""))[0] - 1, entry.path)
    return next((Path(path) for names, path in left.values() if names), None)


def settle(folder: Path) -> None:
    """Take back what a build may not leave to others, and let programs be started that it could not set the mode of.

    Nobody may write to what lies there but its owner and his group, and no program lends the rights of its owner.
    Links are not followed.

    Raises:
        OSError: something cannot be looked at.
    """
    _settle(str(folder), folder.stat())
    for entry in _below(folder):
        _settle(entry.path, entry.stat(follow_symlinks=False))


def _settle(path: str, status: os.stat_result) -> None:
    is_file = stat.S_ISREG(status.st_mode)
    if not is_file and not stat.S_ISDIR(status.st_mode):
        return
    mode = stat.S_IMODE(status.st_mode)
    wanted = mode & ~stat.S_IWOTH & ~(_LENT_TO_OTHERS if is_file else 0)
    if is_file and not mode & stat.S_IXUSR and _is_program(path):
        wanted |= stat.S_IXUSR
    if wanted != mode:
        os.chmod(path, wanted)  # noqa: PTH101 - a text, as the others are


def _is_program(path: str) -> bool:
    with _opened(path) as file:
        return file.read(len(_PROGRAM)) == _PROGRAM


def _opened(path: str) -> BufferedReader:
    """Open a file, but no link, and nothing that could be waited for."""
    return os.fdopen(os.open(path, _WITHOUT_WAITING), "rb")


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 of all that lies in a folder, in hexadecimal: names, contents, what can be started, links.

    Raises:
        OSError: something cannot be read.
    """
    total = hashlib.sha256()
    told = (((os.path.relpath(entry.path, folder)), *_content(entry)) for entry in _below(folder))
    for line in sorted(told):
        total.update(repr((os.fsencode(line[0]), *line[1:])).encode())
    return total.hexdigest()


def _content(entry: "os.DirEntry[str]") -> tuple[str, bool, bytes]:
    status = entry.stat(follow_symlinks=False)
    kind, can_be_started = stat.filemode(status.st_mode)[0], bool(status.st_mode & stat.S_IXUSR)
    if stat.S_ISLNK(status.st_mode):
        return kind, False, os.fsencode(Path(entry.path).readlink())
    if not stat.S_ISREG(status.st_mode):
        return kind, False, b""
    with _opened(entry.path) as file:
        return kind, can_be_started, hashlib.file_digest(file, "sha256").digest()


def _below(folder: Path) -> Iterator["os.DirEntry[str]"]:
    """Yield what lies in a folder, however deep that goes."""
    folders = [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
