"""The published folders of events that a site shows."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

FIRST_PAGE: Final = "index.html"
_HIDDEN: Final = "private"


class EventFolders:
    """Finds files inside published folders, and none outside of them. Its methods read the disk."""

    def __init__(self, folders: Iterable[Path] = (), *, parent: Path | None = None) -> None:
        """Show folders.

        Args:
            folders: published folders of events. The name of an event is that of its folder.
            parent: a folder that is searched for more published folders at each request.
        """
        self._folders = {folder.resolve().name: folder for folder in folders}
        self._parent = parent

    def all(self) -> dict[str, Path]:
        """Return the folders of the events, by name."""
        found = dict(self._folders)
        if self._parent is not None and self._parent.is_dir():
            for folder in self._parent.iterdir():
                if _is_published(folder.name) and (folder / FIRST_PAGE).is_file() and not folder.is_symlink():
                    found.setdefault(folder.name, folder)
        return found

    def find(self, event: str, path: str) -> Path | None:
        """Return a published file of an event, or ``None``.

        Args:
            event: the name of the event.
            path: the path in its folder, with ``/``. Empty, or with ``/`` at its end, for the index page there.
        """
        folder = self.all().get(event)
        parts = path.split("/")
        if not parts[-1]:
            parts[-1] = FIRST_PAGE
        if folder is None or not all(map(_is_published, parts)):
            return None
        return _file(folder.resolve(), parts)


def _is_published(part: str) -> bool:
    """Return True if this part of a path may be published: not hidden, not ``private``, no separator."""
    # Some file systems treat PRIVATE as private.
    hidden = part.startswith(".") or part.casefold() == _HIDDEN
    return bool(part) and not hidden and "\\" not in part and "\0" not in part


def _file(folder: Path, parts: list[str]) -> Path | None:
    place = folder
    for part in parts:
        place /= part
        try:
            if place.is_symlink():
                # A program that may write here could link to any file of the machine.
                return None
        except OSError:
            return None
    return place if place.is_file() else None
