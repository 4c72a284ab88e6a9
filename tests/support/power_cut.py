"""A disk that loses its power."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """What would be in a folder after a power cut.

    Of a file that is what was synced. A name stands for a file for sure when the folder was synced, but it may do so
    from the moment on at which it was given.
    """

    def __init__(self, folder: Path) -> None:
        """Begin with what is there: all of it is safe."""
        self._folder = folder
        self._contents: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        self._held: list[int] = []
        """Descriptors, by which no number of a file is given to another."""
        for path in folder.iterdir():
            self._sync_file(os.open(path, os.O_RDONLY))
        self._sync_names()

    def sync(self, descriptor: int) -> None:
        """Stand for ``os.fsync``."""
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            self._sync_names()
        else:
            self._sync_file(os.dup(descriptor))

    def _sync_file(self, descriptor: int) -> None:
        self._held.append(descriptor)
        self._contents[os.fstat(descriptor).st_ino] = Path(f"/proc/self/fd/{descriptor}").read_bytes()

    def _sync_names(self) -> None:
        self._names = self._names_now()

    def _names_now(self) -> dict[str, int]:
        return {path.name: path.stat().st_ino for path in self._folder.iterdir()}

    def certain(self) -> dict[str, bytes]:
        """Return what is there for certain: the contents of each name that was synced."""
        return self._read(self._names)

    def possible(self) -> dict[str, bytes]:
        """Return what is there if all names reached the disk by themselves before their contents did."""
        return self._read(self._names_now())

    def _read(self, names: dict[str, int]) -> dict[str, bytes]:
        return {name: self._contents.get(number, b"") for name, number in names.items()}

    def close(self) -> None:
        """Let go of all files."""
        for descriptor in self._held:
            os.close(descriptor)


@contextmanager
def failing_disk(folder: Path) -> Iterator[Disk]:
    """Let a folder lie on such a disk."""
    disk = Disk(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("fsync", "fdatasync"):
            patch.setattr(os, name, disk.sync)
        try:
            yield disk
        finally:
            disk.close()
