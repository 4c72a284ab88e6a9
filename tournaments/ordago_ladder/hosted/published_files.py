"""Downloads of the published files of an event, and of no others, as a consistent snapshot.

While the event is played, pages and tables are replaced, each as a whole file. So they are all opened at once under the
publishing lock. Records never change, and are opened when their turn comes.
"""

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from ordago import v1
from ordago.store.errors import StoreFailedError, StoreRefusedError, Why
from ordago_ladder.folder import EventFolder
from ordago_ladder.pages.assets import FACE_FOLDERS
from ordago_ladder.pages.page import FIXED_PAGES
from ordago_ladder.publication.archive import PUBLISHED_FOLDERS
from ordago_ladder.publication.files import UnreadableError, names_in, opened_plain
from ordago_ladder.publication.publish import FILES

_NEVER_CHANGED: Final = ("records", "told", *FACE_FOLDERS.values())
_PART_BYTES: Final = 65_536
"""The most data of a file in one part."""
_RESPONSE_BYTES: Final = 262_144
"""The most data in a response, as in the contract. It joins the parts of many small files."""
_MOST_PARTS: Final = 1_024
"""The most parts in a response, as in the contract."""
_NOTHING_YET: Final = "This event has published nothing yet: it will with its first matches."


class _File(NamedTuple):
    name: str
    """Its path in the folder of the event."""
    size: int
    opened: BinaryIO | None
    """The open file, if it may be replaced; ``None`` for files that never change."""


def download(folder: EventFolder) -> Generator[v1.DownloadEventResponse, None, None]:
    """Yield all published files in the folder of an event, in parts as the contract defines them.

    Raises:
        StoreRefusedError: nothing is published.
        StoreFailedError: a file cannot be read.
    """
    with ExitStack() as stack:
        try:
            files = _published(folder, stack)
            yield v1.DownloadEventResponse(files=len(files))
            yield from _together(part for file in files for part in _parts(folder.path, file))
        except (OSError, UnreadableError) as error:
            raise StoreFailedError(f"{folder.path} cannot be read: {error}") from error


def _published(folder: EventFolder, stack: ExitStack) -> list[_File]:
    """Return all published files, and open those that may be replaced."""
    if not folder.ladder.exists():
        raise StoreRefusedError(Why.STATE, _NOTHING_YET)
    with folder.publishing():
        return [_file(folder.path, name, stack) for name in published_paths(folder)]


def published_paths(folder: EventFolder) -> Iterator[str]:
    """Yield the paths of the published files, relative to the folder of the event.

    Raises:
        UnreadableError: a folder cannot be read.
    """
    known = {*FILES, *FIXED_PAGES}
    yield from (name for name in names_in(folder.path) if name in known)
    for part, suffix in PUBLISHED_FOLDERS.items():
        path = folder.path / part
        if path.is_symlink() or path.exists():
            names = (name for name in names_in(path) if name.endswith(suffix) and not name.startswith("."))
            yield from (f"{part}/{name}" for name in names)


def _file(folder: Path, name: str, stack: ExitStack) -> _File:
    if name.partition("/")[0] in _NEVER_CHANGED:
        return _File(name, (folder / name).lstat().st_size, None)
    opened = stack.enter_context(opened_plain(folder / name))
    return _File(name, os.fstat(opened.fileno()).st_size, opened)


def _together(parts: Iterable[v1.PublishedPart]) -> Iterator[v1.DownloadEventResponse]:
    """Yield responses with as many parts as the limits allow."""
    response, size = v1.DownloadEventResponse(), 0
    for part in parts:
        if size + len(part.data) > _RESPONSE_BYTES or len(response.parts) == _MOST_PARTS:
            yield response
            response, size = v1.DownloadEventResponse(), 0
        response.parts.append(part)
        size += len(part.data)
    yield response


def _parts(folder: Path, file: _File) -> Iterator[v1.PublishedPart]:
    if file.opened is not None:
        yield from _parts_of(file, file.opened)
        return
    with opened_plain(folder / file.name) as opened:
        yield from _parts_of(file, opened)


def _parts_of(file: _File, opened: BinaryIO) -> Iterator[v1.PublishedPart]:
    """Yield the parts of a file: at least one, and exactly as many bytes as its size said."""
    part = v1.PublishedPart(path=file.name, size=file.size)
    left = file.size
    while True:
        part.data = opened.read(min(left, _PART_BYTES))
        left -= len(part.data)
        if left and not part.data:
            raise OSError(f"{file.name} has become shorter")
        yield part
        if not left:
            return
        part = v1.PublishedPart()
