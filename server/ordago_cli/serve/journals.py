"""The journal of a server in its data folder."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ordago.arena.upkeep import keep_up
from ordago.files import PRIVATE_FILE, private_folder
from ordago.journal import Journal, JournalError
from ordago.journal.file import read_contents
from ordago.telemetry.telemetry import Telemetry
from ordago_cli.errors import EXIT_OUTSIDE, CommandError

_FILE: Final = "journal"
_LOCK: Final = "journal.lock"


@contextmanager
def opened_journal(data: Path | None) -> Iterator[Journal | None]:
    """Open the journal in a folder; ``None`` without a folder.

    Raises:
        CommandError: another server uses it, or it is unusable.
    """
    if data is None:
        yield None
        return
    with _locked(data), closing(_open(data)) as journal:
        yield journal


async def keep_up_journal(journal: Journal, telemetry: Telemetry) -> None:
    """Sync and compact a journal until cancelled; see ``keep_up``.

    Raises:
        CommandError: the disk failed.
    """
    try:
        await keep_up(journal, telemetry)
    except JournalError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


def check_journal(data: Path) -> None:
    """Check that the journal in a folder, if any, is free and readable. Nothing is changed.

    Raises:
        CommandError: it is not.
    """
    if (data / _LOCK).exists():
        with _locked(data):
            pass
    try:
        read_contents(data / _FILE)
    except JournalError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


@contextmanager
def _locked(data: Path) -> Iterator[None]:
    """Lock a folder against other servers. The lock ends with the process, even if that is killed."""
    try:
        private_folder(data)
    except OSError as error:
        sentence = f"cannot use the folder {data}: {error.strerror}; name another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    lock = FileLock(data / _LOCK, mode=PRIVATE_FILE)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        sentence = f"another server uses the folder {data}: stop it, or give another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from None
    except OSError as error:
        sentence = f"cannot use the folder {data}: {error.strerror}; fix it, or choose another one with --data"
        raise CommandError(sentence, exit_code=EXIT_OUTSIDE) from error
    try:
        yield
    finally:
        lock.release()


def _open(data: Path) -> Journal:
    try:
        return Journal(data / _FILE)
    except JournalError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error
