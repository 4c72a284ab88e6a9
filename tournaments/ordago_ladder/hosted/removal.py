"""The removal of events, whose names stay taken for good.

The name of a played event is never given to another one: old receipts, links and memories would seem to belong to the
new event. A removal is noted before anything is deleted, so that an interrupted one is finished at the next start.
"""

import errno
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from ordago.files import write_whole
from ordago.store import StoreError
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder

_NOTES_FILE: Final = "removed.json"
_GOING: Final = ".going-"
"""The name prefix of folders that are being deleted. They are ignored everywhere."""
_logger = logging.getLogger("ordago.event")
_BLOCK_BYTES: Final = 512
"""The unit of ``st_blocks``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedEvent:
    """An event that was removed."""

    name: str
    opened_by: str
    """The account of its owner."""
    removed: int
    """The time of removal, in seconds since 1970 UTC."""
    removed_by: str


_NOTES: Final = TypeAdapter(list[RemovedEvent])


class Removals:
    """The removed events of a folder. Use it only with the lock of ``Hosting``."""

    def __init__(self, path: Path) -> None:
        """Read the notes in a folder, and finish interrupted removals.

        Raises:
            OSError: the notes cannot be read.
        """
        self._path = path
        self._all = {one.name: one for one in _noted(path / _NOTES_FILE)}
        for name in self._all:
            self._hide(name)
        try:
            self._delete_hidden()
        except OSError as error:
            # The folder is hidden already, so it does not get in the way of any event.
            what = f"{error.filename} was removed, and cannot be deleted: {error.strerror}"
            _logger.warning("worth a look", extra={"subject": "events", "what": what})

    def __iter__(self) -> Iterator[RemovedEvent]:
        """Iterate over the removed events."""
        return iter(self._all.values())

    def find(self, name: str) -> RemovedEvent | None:
        """Return the removed event with a name; ``None`` if there is none, or if it was never played."""
        return self._all.get(name)

    def remove(self, removed: RemovedEvent) -> int:
        """Delete the folder of an event, and return the number of its files.

        Raises:
            OSError: it cannot be deleted.
        """
        folder = EventFolder(self._path / removed.name)
        files = sum(1 for path in folder.path.rglob("*") if not path.is_dir())
        if _was_played(folder):
            everything = {**self._all, removed.name: removed}
            write_whole(self._path / _NOTES_FILE, _NOTES.dump_json(list(everything.values())))
            self._all = everything
        self._hide(removed.name)
        self._delete_hidden()
        return files

    def _hide(self, name: str) -> None:
        """Hide a folder atomically, by renaming it."""
        folder = self._path / name
        if folder.is_dir():
            folder.rename(self._path / f"{_GOING}{name}")

    def _delete_hidden(self) -> None:
        for folder in self._path.glob(f"{_GOING}*"):
            if folder.is_symlink():
                # Only the link is removed, never its target.
                folder.unlink()
            else:
                shutil.rmtree(folder)


def _noted(file: Path) -> list[RemovedEvent]:
    if not file.exists():
        return []
    try:
        return _NOTES.validate_json(file.read_bytes())
    except ValueError:
        # Without the list, taken names would count as free.
        raise OSError(errno.EINVAL, f"its file {file.name} is not a list of removed events", str(file)) from None


def _was_played(folder: EventFolder) -> bool:
    """Return True if matches of an event were issued, or if a damaged store leaves that unknown."""
    try:
        with Store.open(folder.store) as store:
            return bool(store.matches())
    except StoreError:
        return folder.store.exists() or folder.ledger.exists()


def room_of(folder: EventFolder) -> int:
    """Return the disk usage of a folder in bytes. Files that vanish meanwhile are not counted."""
    return _room_below(str(folder.path))


def _room_below(place: str) -> int:
    total = 0
    # A running event may delete files and folders during this walk.
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                total += _room_below(entry.path)
                continue
            with suppress(OSError):
                total += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
    return total
