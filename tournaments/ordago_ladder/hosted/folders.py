"""Where events are kept on a server: the folder of all of them, and how one begins in a folder of its own."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout

from ordago.files import PRIVATE_FILE, private_folder
from ordago.store import StoreError, StoreFailedError
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.hosted.events_api import EventConflictError, EventRefusedError
from ordago_ladder.hosted.hosted_event import HostedEvent
from ordago_ladder.hosted.note import Note, read_note
from ordago_ladder.hosted.permissions import CHECK_IN_SECONDS, house_processes
from ordago_ladder.matches.due import GrowthError
from ordago_ladder.run.changes import ChangedEventError
from ordago_ladder.run.kept_event import KeptEvent, event_store
from ordago_ladder.settings.settings import Settings

_logger = logging.getLogger("ordago.event")


def free_bytes(path: Path) -> int:
    """Return how much room there is on the disk of a folder."""
    return shutil.disk_usage(path).free


@contextmanager
def opened_folder(path: Path) -> Iterator[bool]:
    """Keep other servers out of a folder of events in this context; give whether it is free.

    Raises:
        OSError: it cannot be used.
    """
    private_folder(path)
    lock = FileLock(path / "lock", mode=PRIVATE_FILE)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def events_in(path: Path) -> Iterator[HostedEvent]:
    """Yield the events of a folder. What cannot be read is told, and keeps no other from going on."""
    for folder in map(EventFolder, sorted(path.glob("[!.]*"))):
        try:
            yield _event_in(folder)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            sentence = f"what is noted of it cannot be read: {error}"
            _logger.warning("worth a look", extra={"subject": f"event {folder.path.name}", "what": sentence})


def _event_in(folder: EventFolder) -> HostedEvent:
    note = read_note(folder)
    if note.has_ended:
        return HostedEvent(folder, note)
    if note.check_in_ends is None:
        # It was opened when check-in had no end.
        note = replace(note, check_in_ends=note.begins or note.opened + CHECK_IN_SECONDS)
    try:
        return hosted_event(parse_event(note.text), note, folder)
    except EventFileError:
        # Its run says so.
        return HostedEvent(folder, note)


def hosted_event(settings: Settings, note: Note, folder: EventFolder) -> HostedEvent:
    """Return an event that is about to run."""
    awaited = [entrant.name for entrant in settings.remote_entrants]
    return HostedEvent(folder, note, awaited=awaited, processes=house_processes(settings))


def begin_anew(settings: Settings, note: Note, folder: EventFolder) -> None:
    """Begin an event in a folder that is to be made. Where it cannot begin nothing is left of it.

    Raises:
        EventConflictError: there is such a folder, or it cannot be kept.
    """
    try:
        folder.path.mkdir()
    except FileExistsError:
        sentence = f"another event is kept here as {folder.path.name!r}, which cannot be read: choose another 'name'"
        raise EventConflictError(sentence) from None
    except OSError as error:
        raise EventConflictError(f"the server cannot keep the event: {error.strerror}") from None
    try:
        with _kept(folder):
            private_folder(folder.private)
        # First: one that a power cut ends here begins at the next start, and leaves no folder that nobody knows.
        _write(note, folder)
        _begin(settings, note.text, folder, may_mend=False)
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        raise


def go_on(settings: Settings, note: Note, folder: EventFolder, *, may_mend: bool) -> None:
    """Let an event go on that is kept in a folder, and perhaps grow, or be mended before anybody has checked in.

    Args:
        settings: the event.
        note: what is noted of it.
        folder: where it is kept.
        may_mend: whether it is the organiser's own.

    Raises:
        EventRefusedError: it cannot grow so.
        EventConflictError: it cannot go on.
    """
    _begin(settings, note.text, folder, may_mend=may_mend)
    _write(note, folder)


def _begin(settings: Settings, text: str, folder: EventFolder, *, may_mend: bool) -> None:
    """Begin an event in its store, let it grow, or mend it; or say what was changed of it, to whoever may know."""
    try:
        with _kept(folder), event_store(folder, None) as store:
            KeptEvent(settings, text, store, folder, None).begin_or_grow(may_mend=may_mend)
    except ChangedEventError as error:
        if not may_mend:
            raise _other_event(folder) from None
        raise EventConflictError(f"{error.changes}. Put it back, or choose another 'name'") from None
    except GrowthError as error:
        raise EventRefusedError(f"the event file: {error}") from None
    except FolderBusyError:
        raise EventConflictError(f"another program works on {settings.event.name!r}: wait until it is done") from None


def _write(note: Note, folder: EventFolder) -> None:
    with _kept(folder):
        note.write(folder)


@contextmanager
def _kept(folder: EventFolder) -> Iterator[None]:
    """Say why an event cannot be kept, without saying where."""
    try:
        yield
    except OSError as error:
        raise EventConflictError(f"the server cannot keep the event: {error.strerror}") from None
    except StoreFailedError:
        raise EventConflictError("the server cannot keep the event: its disk is full, or closed to it") from None
    except ChangedEventError:
        raise
    except StoreError:
        raise _other_event(folder) from None


def _other_event(folder: EventFolder) -> EventConflictError:
    return EventConflictError(
        f"another event is kept here as {folder.path.name!r}, or its store is damaged: choose another 'name'"
    )
