"""Places of files in the output folder of an event, and in the published folder of a standing ladder."""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ordago.files import PRIVATE_FILE, private_folder


def record_name(match_id: str) -> str:
    """Return the name of the file of a record, with its folder."""
    return f"records/{match_id}.record"


def told_name(match_id: str) -> str:
    """Return the name of the page on which a match is told, with its folder."""
    return f"told/{match_id}.html"


class FolderBusyError(Exception):
    """Another runner works in the folder. The organiser erred, or forgot that it runs."""


@dataclass(frozen=True, slots=True)
class EventFolder:
    """The output folder of an event.

    All of it may be published but the folder ``private``, which is closed to other users: the store there knows the
    secret before it is revealed, the journal what the matches that run have come to, and the logs of the bots are their
    authors' business.
    """

    path: Path

    @property
    def records(self) -> Path:
        """The folder of the records."""
        return self.path / "records"

    @property
    def event_file(self) -> Path:
        """A copy of the event file."""
        return self.path / "event.toml"

    @property
    def ladder(self) -> Path:
        """The ladder that programs read."""
        return self.path / "ladder.json"

    @property
    def ledger(self) -> Path:
        """The ledger: what was committed to, who brought which nonce, and what became of each match."""
        return self.path / "ledger.jsonl"

    @property
    def page(self) -> Path:
        """The page that people read."""
        return self.path / "index.html"

    @property
    def private(self) -> Path:
        """The folder of what is not published."""
        return self.path / "private"

    @property
    def store(self) -> Path:
        """The database of the event."""
        return self.private / "event.db"

    @property
    def journal(self) -> Path:
        """What was decided in matches that are not over."""
        return self.private / "journal"

    @property
    def _lock(self) -> Path:
        """What keeps other runners out. Every folder of an event has it."""
        return self.private / "lock"

    @property
    def run_note(self) -> Path:
        """A note of the run that plays, if one does."""
        return self.private / "run.json"

    @property
    def hosted_note(self) -> Path:
        """What a server notes of the event, where one plays it."""
        return self.private / "hosted.json"

    @property
    def build_notes(self) -> Path:
        """What those have built who have checked in."""
        return self.private / "builds.json"

    @property
    def logs(self) -> Path:
        """The folder of the bots' output."""
        return self.private / "logs"

    def record(self, match_id: str) -> Path:
        """Return the file of a record."""
        return self.path / record_name(match_id)

    def told(self, match_id: str) -> Path:
        """Return the page on which a match is told."""
        return self.path / told_name(match_id)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runners out. The lock ends with the process, however that ends.

        Raises:
            FolderBusyError: another runner is in.
            OSError: what is private cannot be kept so, or the folder holds something else than an event.
        """
        self.check_kind()
        private_folder(self.private)
        # Whoever leaves may be another thread than who came.
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
        """Look whether it is a folder of an event, or may become one: publishing replaces files of the same names.

        Raises:
            OSError: it holds something else.
        """
        names = {path.name for path in self.path.iterdir()} if self.path.is_dir() else set()
        if names - {self.private.name} and not self._lock.exists() and not self.ledger.exists():
            told = "it is there and holds something else than an event"
            raise FileExistsError(errno.EEXIST, told, str(self.path))

    @contextmanager
    def publishing(self) -> Iterator[None]:
        """Keep others from publishing here meanwhile, a report beside a run for instance; wait until they are done."""
        with FileLock(self.private / "publishing.lock", mode=PRIVATE_FILE):
            yield


_DIGITS: Final = 6
"""No ledger has a number with more."""


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
        """The settings of all matches of the epoch."""
        return self.path / "settings.json"

    @property
    def records(self) -> Path:
        """The folder of the records, once the epoch is revealed."""
        return self.path / "records"

    @property
    def half_written_records(self) -> Path:
        """The folder of the records while they are written."""
        return self.path / "records.part"


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
        """The standing of the season that goes on, by now."""
        return self.path / "ladder.json"

    @property
    def seasons(self) -> Path:
        """The folder of the seasons."""
        return self.path / "seasons"

    def season_standing(self, season: str) -> Path:
        """Return the standing of a season by its epochs that are revealed. It is named as the season is called."""
        return self.seasons / season / self.standing.name


def epoch_name(number: int) -> str:
    """Return what the folder of an epoch is called."""
    return f"{number:0{_DIGITS}}"


def numbers_of(names: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of the epochs that have folders of these names, ascending. Other names are left out."""
    numbers = (int(name) for name in names if name.isascii() and name.isdigit() and len(name) == _DIGITS)
    return tuple(sorted(number for number in numbers if number >= 1))


def ladder_record_name(match_id: str) -> str:
    """Return the name of the file of a record in its folder."""
    return f"{match_id}.record"
