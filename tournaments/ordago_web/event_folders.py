"""The published folders of events that a site shows."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

FIRST_PAGE: Final = "index.html"
_HIDDEN: Final = "private"


class EventFolders:
    """Finds files of published folders, and none outside of them. Its methods look at the disk."""

    def __init__(self, folders: Iterable[Path] = (), *, parent: Path | None = None) -> None:
        """Show folders.

        Args:
            folders: published folders of events, each called by its name.
            parent: a folder whose folders are looked through for further ones whenever somebody asks.
        """
        self._folders = {folder.resolve().name: folder for folder in folders}
        self._parent = parent

    def names(self) -> list[str]:
        """Return the names of the events, sorted."""
        return sorted(self._all())

    def find(self, event: str, path: str) -> Path | None:
        """Return a file of an event; ``None`` if there is none that is published.

        Args:
            event: the name of the event.
            path: the path in its folder, with ``/``; empty or with ``/`` at its end for the first page there.
        """
        folder = self._all().get(event)
        parts = path.split("/")
        if not parts[-1]:
            parts[-1] = FIRST_PAGE
        if folder is None or not all(map(_is_published, parts)):
            return None
        return _file(folder.resolve(), parts)

    def _all(self) -> dict[str, Path]:
        found = dict(self._folders)
        if self._parent is not None and self._parent.is_dir():
            for folder in self._parent.iterdir():
                if _is_published(folder.name) and (folder / FIRST_PAGE).is_file() and not folder.is_symlink():
                    found.setdefault(folder.name, folder)
        return found


def _is_published(part: str) -> bool:
    """Say whether a part of a path can be one of what is published."""
    # Some file systems take PRIVATE for private.
    hidden = part.startswith(".") or part.casefold() == _HIDDEN
    return bool(part) and not hidden and "\\" not in part and "\0" not in part


def _file(folder: Path, parts: list[str]) -> Path | None:
    place = folder
    for part in parts:
        place /= part
        try:
            if place.is_symlink():
                # Whoever writes there could have it lead anywhere.
                return None
        except OSError:
            return None
    return place if place.is_file() else None
