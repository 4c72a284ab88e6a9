"""The time of the last backup, in a file of the server's folder: ``ordago backup`` writes it, the metrics read it.

Its content counts rather than its time of change, which a copy of the folder would renew.
"""

import math
from pathlib import Path
from typing import Final

from ordago.files import write_whole

_FILE: Final = "last-backup"
_LONGEST: Final = 32
"""The most bytes that are read: a number of seconds has ten."""


def note_backup(data: Path, *, now: float) -> None:
    """Record in the folder of a server that a backup of it is complete, in seconds since 1970.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(data / _FILE, b"%d\n" % now)


def last_backup(data: Path) -> float | None:
    """Return when the last backup of a server's folder was complete, in seconds since 1970; ``None`` if unknown."""
    try:
        with (data / _FILE).open("rb") as file:
            seconds = float(file.read(_LONGEST))
    except (OSError, ValueError):
        return None
    return seconds if math.isfinite(seconds) else None
