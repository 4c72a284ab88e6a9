"""The time between the server that wrote a journal and the one that resumes from it."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self


class Outage(NamedTuple):
    """The absence of a server."""

    seconds: float
    """The time without writes before the journal was opened: at least as long as there was no server."""
    machine_stayed_up: bool
    """True if the machine has run since before it: then everything that was written is in the journal."""

    @classmethod
    def since(cls, written: float) -> Self:
        """Return the outage since a journal was last written, in seconds since 1970, UTC."""
        now = time.time()
        # A clock that does not count what the machine slept puts its start too late: then less is trusted, not more.
        return cls(max(0.0, now - written), machine_stayed_up=written > now - time.monotonic())


def last_written(path: Path) -> float:
    """Return the time when a journal was last written, in seconds since 1970, UTC; now if there is none."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def keep_last_written(path: Path, written: float) -> None:
    """Give a rewritten journal without new content the age of the old one.

    So a server that falls again and again before a bot can reach it has been away since the first time. Where files
    have no times that can be set it is away since the last time only.
    """
    with suppress(OSError):
        os.utime(path, (written, written))
