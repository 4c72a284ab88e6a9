"""Download of a published event into a folder: completely or not at all, and nowhere else.

The server is not trusted. A file name has to be a plain name, in the folder or in a folder below it, or is refused.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from ordago import v1
from ordago.names import quoted
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

_PATH: Final = re.compile(r"(?:[a-z][a-z0-9_-]{0,62}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,190}")
"""The names of published files: plain and visible, in one folder or none, so that they lead nowhere else."""
_PRIVATE: Final = "private/"
MOST_FILES: Final = 1_000_000
MOST_BYTES: Final = 8 * 1024**3
"""A generous bound: an event on a server has at most 20,000 matches, and a record of some deals has ten kilobytes."""


class Fetched(NamedTuple):
    """The counts of a download."""

    files: int
    bytes: int


def downloaded(responses: Iterator[v1.DownloadEventResponse], out: Path) -> Fetched:
    """Write the files from a server into a new or empty folder.

    Raises:
        CommandError: the folder is not empty or not writable, or the server sent something that no event publishes.
            Then nothing is left of the download.
    """
    try:
        if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
            raise CommandError(f"{out} exists and is not empty: choose another folder", exit_code=EXIT_OUTSIDE)
        with _part(out) as part:
            fetched = _written(responses, part)
            for path in part.iterdir():
                path.rename(out / path.name)
    except OSError as error:
        sentence = f"cannot write {error.filename or out}: {error.strerror}; choose another folder, or free some space"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None
    return fetched


@contextmanager
def _part(out: Path) -> Iterator[Path]:
    """Make a folder with a temporary one inside, which is removed at the end. After an error remove both."""
    made = not out.exists()
    part = out / f".{os.getpid()}.part"
    part.mkdir(parents=True)
    try:
        yield part
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        if made:
            # Another program may have put files there meanwhile.
            with suppress(OSError):
                out.rmdir()
        raise
    part.rmdir()


def _written(responses: Iterator[v1.DownloadEventResponse], folder: Path) -> Fetched:
    announced = next(responses, v1.DownloadEventResponse()).files
    if not 0 < announced <= MOST_FILES:
        raise _nonsense(f"it would give {announced:,} files")
    parts = _parts(responses)
    files = size = 0
    for part in parts:
        size += part.size
        files += 1
        if size > MOST_BYTES or files > announced:
            raise _nonsense(f"it gives more than {MOST_BYTES:,} bytes, or more files than it said")
        with _new_file(folder, part.path) as file:
            _write_file(part, parts, file)
    if files != announced:
        raise _nonsense(f"it gave {files:,} files of {announced:,}")
    return Fetched(files, size)


def _parts(responses: Iterator[v1.DownloadEventResponse]) -> Iterator[v1.PublishedPart]:
    for response in responses:
        if not response.parts:
            raise _nonsense("it repeatedly sent no data")
        yield from response.parts


def _new_file(folder: Path, path: str) -> BinaryIO:
    if not _PATH.fullmatch(path) or path.startswith(_PRIVATE):
        raise _nonsense(f"it names a file {quoted(path)}")
    if "/" in path:
        (folder / path).parent.mkdir(exist_ok=True)
    try:
        return (folder / path).open("xb")
    except FileExistsError:
        raise _nonsense(f"it sent {quoted(path)} twice") from None


def _write_file(first: v1.PublishedPart, parts: Iterator[v1.PublishedPart], file: BinaryIO) -> None:
    """Write a file, from its first part to its last."""
    left, part = first.size, first
    while True:
        left -= len(part.data)
        if left < 0 or (left and not part.data):
            raise _nonsense(f"{quoted(first.path)} does not have the announced size")
        file.write(part.data)
        if not left:
            return
        part = next(parts, v1.PublishedPart())
        if part.path:
            raise _nonsense(f"{quoted(first.path)} ends too early")


def _nonsense(what: str) -> CommandError:
    sentence = f"the server did not send a valid event, and nothing was saved: {what}"
    return CommandError(sentence, exit_code=EXIT_OUTSIDE)
