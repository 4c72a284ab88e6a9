"""Runs that stop or fail early: void matches and their new attempts, journals of dead workers, stop signals.

A void match is played again in the same place of the schedule and with the same id, but with the deals of the next
attempt. The other seatings of its duplicate set stay as they are, so that the next deals depend only on the schedule
and the failures, and not on the progress of other matches. Such a set compares the bots a little less precisely.
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

if TYPE_CHECKING:  # workers import this module without a database
    from ordago.store.event.store import Store


class VoidMatchError(Exception):
    """A match was void too many times: a bug in the server or the rules of a game, not in a bot."""


class Failure(NamedTuple):
    """A failure of the server in a match, in this process or another."""

    cause: str
    """The class name of the error."""
    account: str
    """The traceback, for the organiser alone: it may name cards of the set."""

    @classmethod
    def of(cls, error: BaseException) -> "Failure":
        """Return the failure for an error."""
        return cls(type(error.__cause__ or error).__name__, "".join(traceback.format_exception(error)))

    @property
    def reason(self) -> str:
        """The public reason, a sentence."""
        return f"the server failed in the match ({self.cause})"


def void_again(planned: PlannedMatch, *, times: int, logs: Path) -> VoidMatchError:
    """Return the error for a match in which the server failed ``times`` times."""
    return VoidMatchError(
        f"the server failed {times} times in match {planned.row + 1} of the schedule, {planned.game} with "
        f"{', '.join(dict.fromkeys(planned.entrants))}; the error is in {logs}"
    )


def write_down(failure: Failure, match_id: str, *, attempt: int, logs: Path) -> Path:
    """Write the traceback of a void attempt to a private log, and return its path."""
    log = logs / f"void-{match_id}-{attempt}.log"
    private_folder(log.parent)
    private_file(log)
    log.write_text(failure.account, encoding="utf-8")
    return log


class Attempts:
    """The number of the current attempt at each match of an event."""

    def __init__(self, store: "Store", *, logs: Path, warn: Callable[[str], None]) -> None:
        """Continue from the attempts in the store.

        Args:
            store: counts the attempts, so that the deals of a void match are never dealt again.
            logs: the folder for the tracebacks.
            warn: called with a sentence for each void match.
        """
        self._store = store
        self._logs = logs
        self._warn = warn
        self._attempts = {match.match_id: match.attempt for match in store.matches()}

    def of(self, match_id: str) -> int:
        """Return the current attempt at a match, from 0."""
        return self._attempts.get(match_id, 0)

    def begin_anew(self, match_id: str, failure: Failure) -> Head:
        """Declare the current attempt at a match void, so that it is played again.

        Return the head of the ledger with the entry for it.

        Raises:
            StoreError: the database fails.
        """
        log = write_down(failure, match_id, attempt=self.of(match_id), logs=self._logs)
        self._attempts[match_id] = self._store.begin_anew(match_id, reason=failure.reason).attempt
        self._warn(f"the server failed in match {match_id}, which is void and starts again; the error is in {log}")
        return self._store.head()


class StoppedError(Exception):
    """The organiser stopped the run. No played match is lost."""

    def __init__(self, *, played: int, planned: int) -> None:
        """Keep the progress of the event."""
        super().__init__(f"stopped after {played} of {planned} matches; run the same command again to continue")
        self.played = played
        """The number of matches with results."""
        self.planned = planned
        """The number of matches due so far."""


async def signalled() -> None:
    """Wait for a signal to end the process."""
    with orders_to_stop() as signals:
        await anext(signals)


_NAME = "worker-{}.journal"


def journal_of_worker(folder: EventFolder, number: int) -> Path:
    """Return the path of the journal of a worker, by its number."""
    return folder.private / _NAME.format(number)


def take_over_journals(folder: EventFolder, journal: Journal) -> None:
    """Merge the journals of workers that no longer run into the runner's journal.

    Raises:
        JournalError: a worker's journal cannot be read, or the runner's cannot be written.
    """
    for path in sorted(folder.private.glob(_NAME.format("*"))):
        take_over_journal(path, journal)


def take_over_journal(path: Path, journal: Journal) -> None:
    """Merge another journal into this one, keep the further progress of each match, and delete the other file.

    Raises:
        JournalError: one of the journals cannot be read or written.
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
    """Return the progress of a match, to be compared: its attempt, then its number of entries."""
    return match.record.attempt, len(match.record.entries)
