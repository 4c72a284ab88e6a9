"""Where the journal of a server is kept, for the commands that need it."""

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
    """Open the journal in a folder; nothing where there is no folder.

    Raises:
        CommandError: another server uses it, or it cannot be used.
    """
    if data is None:
        yield None
        return
    with _locked(data), closing(_open(data)) as journal:
        yield journal


async def keep_up_journal(journal: Journal, telemetry: Telemetry) -> None:
    """Keep a journal safe and small until it is cancelled; see ``keep_up``.

    Raises:
        CommandError: the disk failed.
    """
    try:
        await keep_up(journal, telemetry)
    except JournalError as error:
        raise CommandError(str(error), exit_code=EXIT_OUTSIDE) from error


def check_journal(data: Path) -> None:
    """Look whether the journal in a folder, if there is one, is free and can be read. Nothing is changed.

    Raises:
        CommandError: it is not, or cannot.
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
    """Keep other servers out of a folder. The lock ends with the process, however that ends."""
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
