"""Journals of workers, whose matches the runner goes on with when they are gone."""

from pathlib import Path

from ordago.journal import Journal
from ordago.journal.v1 import JournaledMatch
from ordago_ladder.folder import EventFolder

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
