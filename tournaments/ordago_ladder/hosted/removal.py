"""The removal of events: what is deleted, and which names stay taken for good.

A name that matches were played under is never that of another event: receipts, links and what people remember would
pass for that one. What was removed is noted before anything is deleted, so that a removal that is interrupted is
finished at the next start.
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
"""The name of a folder begins so that is being deleted: it is shown nowhere, and no event."""
_logger = logging.getLogger("ordago.event")
_BLOCK_BYTES: Final = 512
"""The unit in which the system says how much room a file takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedEvent:
    """An event that was removed."""

    name: str
    opened_by: str
    """Whose it was."""
    removed: int
    """When, in seconds since 1970 UTC."""
    removed_by: str


_NOTES: Final = TypeAdapter(list[RemovedEvent])


class Removals:
    """The events that were removed from a folder. It belongs to whoever has the lock of the events."""

    def __init__(self, path: Path) -> None:
        """Read what is noted in a folder, and finish removals that were interrupted.

        Raises:
            OSError: it cannot be read.
        """
        self._path = path
        self._all = {one.name: one for one in _noted(path / _NOTES_FILE)}
        for name in self._all:
            self._hide(name)
        try:
            self._delete_hidden()
        except OSError as error:
            # It is out of sight, and keeps no event from being played.
            what = f"{error.filename} was removed, and cannot be deleted: {error.strerror}"
            _logger.warning("worth a look", extra={"subject": "events", "what": what})

    def __iter__(self) -> Iterator[RemovedEvent]:
        """Go through those whose names are taken for good."""
        return iter(self._all.values())

    def find(self, name: str) -> RemovedEvent | None:
        """Return the event that had a name; ``None`` if none did that was played."""
        return self._all.get(name)

    def remove(self, removed: RemovedEvent) -> int:
        """Delete the folder of an event, and return how many files were in it.

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
        """Take a folder out of sight, all at once."""
        folder = self._path / name
        if folder.is_dir():
            folder.rename(self._path / f"{_GOING}{name}")

    def _delete_hidden(self) -> None:
        for folder in self._path.glob(f"{_GOING}*"):
            if folder.is_symlink():
                # Where it leads to is the business of whoever made it.
                folder.unlink()
            else:
                shutil.rmtree(folder)


def _noted(file: Path) -> list[RemovedEvent]:
    if not file.exists():
        return []
    try:
        return _NOTES.validate_json(file.read_bytes())
    except ValueError:
        # Without it names could be taken that are not free.
        raise OSError(errno.EINVAL, f"its file {file.name} holds no list of removed events", str(file)) from None


def _was_played(folder: EventFolder) -> bool:
    """Say whether matches of an event were given out. Where nobody can tell any more they were."""
    try:
        with Store.open(folder.store) as store:
            return bool(store.matches())
    except StoreError:
        return folder.store.exists() or folder.ledger.exists()


def room_of(folder: EventFolder) -> int:
    """Return how much room a folder takes on the disk, in bytes. What goes away meanwhile counts for nothing."""
    return _room_below(str(folder.path))


def _room_below(place: str) -> int:
    total = 0
    # Whoever writes there meanwhile may take files away, and folders.
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                total += _room_below(entry.path)
                continue
            with suppress(OSError):
                total += entry.stat(follow_symlinks=False).st_blocks * _BLOCK_BYTES
    return total
