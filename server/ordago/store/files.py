"""Files that are there as a whole or not at all, whatever happens while they are written."""

import os
from pathlib import Path
from typing import Final

_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, or replace it. When this returns, it is safe from a power cut.

    Raises:
        OSError: it could not be written; what was there before stays.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are safe from a power cut."""
    descriptor = os.open(folder, _FLAGS)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
