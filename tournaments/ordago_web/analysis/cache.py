"""A cache of analyses: a folder of files, bounded in size, which drops the least recently used."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from ordago.files import private_folder, write_whole

_ENDING: Final = ".json"
_PART: Final = ".part"


class AnalysisCache:
    """Caches texts by name. Its methods use the disk; only one may run at a time."""

    def __init__(self, folder: Path, *, most_bytes: int) -> None:
        """Use a folder, up to a total size."""
        self._folder = folder
        self._most_bytes = most_bytes

    def find(self, name: str) -> bytes | None:
        """Return a cached text, or ``None``."""
        path = self._path(name)
        try:
            found = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return found

    def keep(self, name: str, text: bytes) -> None:
        """Cache a text, and delete the least recently used ones to stay within the size.

        Raises:
            OSError: it cannot be written.
        """
        private_folder(self._folder)
        write_whole(self._path(name), text)
        self._make_room()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_ENDING}"

    def _make_room(self) -> None:
        kept = []
        for path in self._folder.iterdir():
            # Parts of files that a killed process left behind.
            if path.name.endswith(_PART):
                path.unlink(missing_ok=True)
            elif path.suffix == _ENDING:
                # Another site of the same user may share the folder, and remove files meanwhile.
                with suppress(FileNotFoundError):
                    found = path.stat()
                    kept.append((found.st_mtime_ns, found.st_size, path))
        room = self._most_bytes
        for _, size, path in sorted(kept, reverse=True):
            room -= size
            if room < 0:
                path.unlink(missing_ok=True)
