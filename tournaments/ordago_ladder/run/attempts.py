"""Runs that stop or fail before the end: matches that are void and begun anew, journals of workers that are gone.

A void match is played again in the same place of the schedule, under the same name, with the deals of the next attempt.
The other seatings of its duplicate set stay as they are: what is played next then depends on nothing but the schedule
and on what failed, not on how far the others had come. Such a set compares a little less exactly.
"""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ordago.files import private_file, private_folder
from ordago.journal import Journal
from ordago.journal.v1 import JournaledMatch
from ordago.ops.stopping import orders_to_stop
from ordago.record.head import Head
from ordago.store import PlannedMatch
from ordago_ladder.folder import EventFolder

if TYPE_CHECKING:  # workers import this, and have no database
    from ordago.store.event.store import Store


class VoidMatchError(Exception):
    """A match that was void again and again. The server erred, or the rules of a game, but no bot."""


class Failure(NamedTuple):
    """How the server failed in a match, in this process or in another one."""

    cause: str
    """The short name of the error."""
    account: str
    """What went wrong, for the organiser alone: it might name cards of the set."""

    @classmethod
    def of(cls, error: BaseException) -> "Failure":
        """Return what there is to say of an error."""
        return cls(type(error.__cause__ or error).__name__, "".join(traceback.format_exception(error)))

    @property
    def reason(self) -> str:
        """A sentence that everybody may read."""
        return f"the server failed in the match ({self.cause})"


def void_again(planned: PlannedMatch, *, times: int, logs: Path) -> VoidMatchError:
    """Return what is raised when the server failed so many times in a match."""
    return VoidMatchError(
        f"the server failed {times} times in match {planned.row + 1} of the schedule, {planned.game} with "
        f"{', '.join(dict.fromkeys(planned.entrants))}; what went wrong is in {logs}"
    )


def write_down(failure: Failure, match_id: str, *, attempt: int, logs: Path) -> Path:
    """Write down how an attempt at a match failed, for the organiser alone, and return the file."""
    log = logs / f"void-{match_id}-{attempt}.log"
    private_folder(log.parent)
    private_file(log)
    log.write_text(failure.account, encoding="utf-8")
    return log


class Attempts:
    """How often each match of an event was begun anew."""

    def __init__(self, store: "Store", *, logs: Path, warn: Callable[[str], None]) -> None:
        """Go on from where the store is.

        Args:
            store: counts the attempts, so that the deals of a void match never come again.
            logs: the folder where it is written down what went wrong.
            warn: is told of each void match in one sentence.
        """
        self._store = store
        self._logs = logs
        self._warn = warn
        self._attempts = {match.match_id: match.attempt for match in store.matches()}

    def of(self, match_id: str) -> int:
        """Return how often a match was begun anew."""
        return self._attempts.get(match_id, 0)

    def begin_anew(self, match_id: str, failure: Failure) -> Head:
        """Declare a match void, for this reason: it is to be played again.

        Return the head of the ledger, which tells so.

        Raises:
            StoreError: the database fails.
        """
        log = write_down(failure, match_id, attempt=self.of(match_id), logs=self._logs)
        self._attempts[match_id] = self._store.begin_anew(match_id, reason=failure.reason).attempt
        self._warn(f"the server failed in match {match_id}: it is void and begun anew; what went wrong is in {log}")
        return self._store.head()


class StoppedError(Exception):
    """The organiser stopped the run. Nothing that was played is lost."""

    def __init__(self, *, played: int, planned: int) -> None:
        """Remember how far the event has come."""
        super().__init__(f"stopped after {played} of {planned} matches; run the same command again to go on")
        self.played = played
        """How many matches have results."""
        self.planned = planned
        """How many are due by now."""


async def signalled() -> None:
    """Wait until a signal says that the process is to end."""
    with orders_to_stop() as signals:
        await anext(signals)


_NAME = "worker-{}.journal"


def journal_of_worker(folder: EventFolder, number: int) -> Path:
    """Return the file of the journal of a worker, by its number."""
    return folder.private / _NAME.format(number)


def take_over_journals(folder: EventFolder, journal: Journal) -> None:
    """Let the journal of the runner hold what those of all workers do, of whom none works any more.

    Raises:
        JournalError: one of them cannot be read, or the runner's not be written.
    """
    for path in sorted(folder.private.glob(_NAME.format("*"))):
        take_over_journal(path, journal)


def take_over_journal(path: Path, journal: Journal) -> None:
    """Let a journal hold what another one does, as far as that has come farther, and remove the other one.

    Raises:
        JournalError: one of them cannot be read or written.
    """
    known = {match.record.match_id: _progress(match) for match in journal.matches}
    other = Journal(path)
    for match in other.matches:
        if _progress(match) > known.get(match.record.match_id, (-1, 0)):
            journal.begin_match(match)
    other.close()
    journal.sync()
    path.unlink()


def _progress(match: JournaledMatch) -> tuple[int, int]:
    """Say how far a match has come: its attempt, and the number of choices and forfeits in it."""
    return match.record.attempt, len(match.record.entries)
