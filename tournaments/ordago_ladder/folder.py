"""Paths of the files in the output folder of an event, and in the published folder of a standing ladder."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ordago.files import PRIVATE_FILE, private_folder


def record_name(match_id: str) -> str:
    """Return the path of a record, relative to the output folder."""
    return f"records/{match_id}.record"


def match_page_name(match_id: str) -> str:
    """Return the path of the page of a match, relative to the output folder."""
    return f"told/{match_id}.html"


class FolderBusyError(Exception):
    """Another run uses the folder: a mistake of the organiser, or a run that it has forgotten."""


@dataclass(frozen=True, slots=True)
class EventFolder:
    """The output folder of an event.

    All of it may be published except the folder ``private``, which other users cannot read. It holds the store with the
    secret before it is revealed, the journal of running matches, and the logs of the bots, which concern their authors.
    """

    path: Path

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.path / "records"

    @property
    def event_file(self) -> Path:
        """The copy of the event file."""
        return self.path / "event.toml"

    @property
    def ladder(self) -> Path:
        """The ladder as JSON, for programs."""
        return self.path / "ladder.json"

    @property
    def ledger(self) -> Path:
        """The ledger: the commitment, the nonce of each entrant, and the outcome of each match."""
        return self.path / "ledger.jsonl"

    @property
    def page(self) -> Path:
        """The page of the event, for people."""
        return self.path / "index.html"

    @property
    def private(self) -> Path:
        """The folder that is not published."""
        return self.path / "private"

    @property
    def store(self) -> Path:
        """The database of the event."""
        return self.private / "event.db"

    @property
    def journal(self) -> Path:
        """The journal: the decisions of matches that are not over."""
        return self.private / "journal"

    @property
    def _lock(self) -> Path:
        """The lock file. Every event folder has one, so it also marks a folder as an event's."""
        return self.private / "lock"

    @property
    def run_note(self) -> Path:
        """The note about the current run; absent when none is running."""
        return self.private / "run.json"

    @property
    def announced(self) -> Path:
        """The announcements that were taken; absent before the first."""
        return self.private / "announced.json"

    @property
    def hosted_note(self) -> Path:
        """The notes of the server that hosts the event; absent for an event that ``ordago run`` plays."""
        return self.private / "hosted.json"

    @property
    def build_notes(self) -> Path:
        """The digests of the built folders of entrants that have checked in."""
        return self.private / "builds.json"

    @property
    def logs(self) -> Path:
        """The folder for the output of the bots."""
        return self.private / "logs"

    def record(self, match_id: str) -> Path:
        """Return the path of a record."""
        return self.path / record_name(match_id)

    def match_page(self, match_id: str) -> Path:
        """Return the path of the page of a match."""
        return self.path / match_page_name(match_id)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other runs. The operating system releases the lock if the process dies.

        Raises:
            FolderBusyError: another run holds the lock.
            OSError: the private folder cannot be made private, or the folder holds something other than an event.
        """
        self.check_kind()
        private_folder(self.private)
        # The lock may be released in another thread than the one that acquired it.
        lock = FileLock(self._lock, mode=PRIVATE_FILE, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise FolderBusyError(f"another run works in {self.path}; wait for it, or stop it first") from None
        try:
            yield
        finally:
            lock.release()

    def check_kind(self) -> None:
        """Check that the folder is an event's or empty, since publishing overwrites files of the same names.

        Raises:
            OSError: it holds something other than an event.
        """
        names = {path.name for path in self.path.iterdir()} if self.path.is_dir() else set()
        if names - {self.private.name} and not self._lock.exists() and not self.ledger.exists():
            reason = "it exists and is not the folder of an event"
            raise FileExistsError(errno.EEXIST, reason, str(self.path))

    @contextmanager
    def publishing(self) -> Iterator[None]:
        """Wait for, and then hold, the lock for publishing here: ``ordago report`` may work during a run."""
        with FileLock(self.private / "publishing.lock", mode=PRIVATE_FILE):
            yield


_DIGITS: Final = 6
"""The width of an epoch number in the name of its folder."""


@dataclass(frozen=True, slots=True)
class EpochFolder:
    """The folder of an epoch."""

    path: Path

    @property
    def ledger(self) -> Path:
        """The ledger. It is complete once its last line is ``end``."""
        return self.path / "ledger.jsonl"

    @property
    def settings(self) -> Path:
        """The settings that all matches of the epoch share."""
        return self.path / "settings.json"

    @property
    def records(self) -> Path:
        """The folder of the records; it exists once the epoch is revealed."""
        return self.path / "records"

    @property
    def half_written_records(self) -> Path:
        """The folder of the records while they are being written."""
        return self.path / "records.part"

    @property
    def dropped_records(self) -> Path:
        """The folder of the records while they are being deleted."""
        return self.path / "dropped.part"


@dataclass(frozen=True, slots=True)
class LadderFolder:
    """The published folder of a standing ladder."""

    path: Path

    @property
    def epochs(self) -> Path:
        """The folder of the epochs."""
        return self.path / "epochs"

    def epoch(self, number: int) -> EpochFolder:
        """Return the folder of an epoch."""
        return EpochFolder(self.epochs / epoch_name(number))

    @property
    def file(self) -> Path:
        """The ladder file."""
        return self.path / "ladder.toml"

    @property
    def standing(self) -> Path:
        """The current standings of the running season."""
        return self.path / "ladder.json"

    @property
    def seasons(self) -> Path:
        """The folder of the seasons."""
        return self.path / "seasons"

    def season_standing(self, season: str) -> Path:
        """Return the path of the standings of a season by name, computed from its revealed epochs."""
        return self.seasons / season / self.standing.name


def epoch_name(number: int) -> str:
    """Return the name of the folder of an epoch."""
    return f"{number:0{_DIGITS}}"


def numbers_of(names: Iterable[str]) -> tuple[int, ...]:
    """Return the epoch numbers among some folder names, ascending. Other names are skipped."""
    numbers = (int(name) for name in names if name.isascii() and name.isdigit() and len(name) == _DIGITS)
    return tuple(sorted(number for number in numbers if number >= 1))


def ladder_record_name(match_id: str) -> str:
    """Return the file name of a record in the folder of its epoch."""
    return f"{match_id}.record"
