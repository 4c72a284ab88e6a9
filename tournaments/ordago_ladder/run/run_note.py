"""The note of a run: the progress of an event, written next to its store every second while its matches are played."""

import json
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Final, NamedTuple

from ordago.files import PRIVATE_FILE
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.watching import EventListener

_MOST_BYTES: Final = 1_000
"""Far more than the numbers of a note."""
_MOST: Final = 10**10
"""More than any number in a note: seconds until the year 2286, and the matches of an event."""
_EVERY_SECONDS: Final = 1.0
_FRESH_SECONDS: Final = 30.0
"""The age up to which a note is a sign of life: a busy machine may pause a run for seconds."""


class RunNote(NamedTuple):
    """The progress of a run, for ``ordago status`` and for sites."""

    process: int
    """The process id of the run."""
    began: float
    """The start of its matches, in seconds since 1970 UTC."""
    before: int
    """The number of matches with results at that time."""
    played: int
    """The number of matches with results now."""
    planned: int
    """The number of matches in all, as far as they are known."""
    written: float
    """The time of the note, in seconds since 1970 UTC."""

    def per_second(self, played: int, now: float) -> float | None:
        """Return the matches a second in this run; ``None`` if it has no results yet."""
        if played <= self.before or now <= self.began:
            return None
        return (played - self.before) / (now - self.began)

    @property
    def seconds_left(self) -> float | None:
        """The expected time to the end; ``None`` if unknown."""
        per_second = self.per_second(self.played, self.written)
        return (self.planned - self.played) / per_second if per_second else None

    def is_fresh(self, now: float) -> bool:
        """Return True if the run was alive a moment ago, on whichever machine it plays."""
        return abs(now - self.written) <= _FRESH_SECONDS


@asynccontextmanager
async def noting(
    folder: EventFolder, opening: AbstractAsyncContextManager[EventListener]
) -> AsyncIterator[EventListener]:
    """Open a listener, and keep the note of its run while it is open."""
    async with opening as listener:
        noter = _Noter(folder, listener)
        # A thread: waiting for a slow disk delays no match.
        writing = threading.Thread(target=noter.write_on, name="note of the run", daemon=True)
        writing.start()
        try:
            yield noter
        finally:
            noter.over.set()
            writing.join()
            with suppress(OSError):
                folder.run_note.unlink(missing_ok=True)


class _Noter:
    """Counts the results of a run, and forwards all events to another listener."""

    def __init__(self, folder: EventFolder, listener: EventListener) -> None:
        self.over = threading.Event()
        self._folder = folder
        self._note: RunNote | None = None
        self._listener = listener
        self.standings = listener.standings
        self.checking_in = listener.checking_in
        self.noted = listener.noted
        self.warned = listener.warned

    def began(self, *, played: int, planned: int) -> None:
        """Begin a note; some matches may have been played in an earlier run or round."""
        now = time.time()
        self._note = RunNote(os.getpid(), now, played, played, planned, now)
        self._listener.began(played=played, planned=planned)

    def played(self, number: int) -> None:
        """Count this many new results."""
        if self._note is not None:
            self._note = self._note._replace(played=self._note.played + number)
        self._listener.played(number)

    def write_on(self) -> None:
        """Write the note every second until the run is over, also where no match ends: it is a sign of life."""
        while not self.over.wait(_EVERY_SECONDS):
            if self._note is not None:
                write_note(self._folder, self._note._replace(written=time.time()))


def write_note(folder: EventFolder, note: RunNote) -> None:
    """Write the note of a run. On failure the run goes on, and only its progress stays unknown."""
    part = folder.run_note.with_suffix(".part")
    try:
        # Not by ``write_whole``: nobody needs it after a power cut, and waiting for the disk would delay matches.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(note._asdict(), file)
        part.replace(folder.run_note)
    except OSError:
        return


def read_note(folder: EventFolder) -> RunNote | None:
    """Return the last note of a run in a folder; ``None`` if there is none, or no valid one."""
    if folder.private.is_symlink():
        return None
    try:
        written = json.loads(read_file(folder.run_note, most=_MOST_BYTES))
        note = RunNote(**{name: kind(written[name]) for name, kind in RunNote.__annotations__.items()})
    except (UnreadableError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    fits = all(0 <= value < _MOST for value in note) and note.before <= note.played <= note.planned
    return note if fits else None


def run_of(folder: EventFolder, *, alive: Callable[[int], bool] | None = None) -> RunNote | None:
    """Return the note of the run that plays the event of a folder now, on this machine; ``None`` if there is none."""
    note = read_note(folder)
    return note if note is not None and (alive or _is_alive)(note.process) else None


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return process > 0
