"""The folder of all hosted events, and the beginning of an event in a folder of its own."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from filelock import FileLock, Timeout

from ordago.files import PRIVATE_FILE, private_folder
from ordago.store import StoreError, StoreFailedError
from ordago.store.event.store import Store
from ordago_ladder.event_file.entry import filled_settings, without_places
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.hosted.events_api import EventConflictError, EventRefusedError, HostedStage
from ordago_ladder.hosted.hosted_event import HostedEvent
from ordago_ladder.hosted.note import Note, read_note
from ordago_ladder.hosted.permissions import CHECK_IN_SECONDS, house_processes
from ordago_ladder.matches.stages import ChangeError
from ordago_ladder.publication.archive import publish_event
from ordago_ladder.run.changes import ChangedEventError
from ordago_ladder.run.kept_event import KeptEvent, event_store
from ordago_ladder.settings.settings import Settings

_logger = logging.getLogger("ordago.event")


def free_bytes(path: Path) -> int:
    """Return the free space on the disk of a folder, in bytes."""
    return shutil.disk_usage(path).free


@contextmanager
def opened_folder(path: Path) -> Iterator[bool]:
    """Lock a folder of events against other servers while the context is open; give False if another one has it.

    Raises:
        OSError: the folder cannot be used.
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
    """Yield the events of a folder. An unreadable one is logged and skipped."""
    for folder in map(EventFolder, sorted(path.glob("[!.]*"))):
        try:
            yield _event_in(folder)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            sentence = f"its notes cannot be read: {error}"
            _logger.warning("worth a look", extra={"subject": f"event {folder.path.name}", "what": sentence})


def _event_in(folder: EventFolder) -> HostedEvent:
    note = read_note(folder)
    if note.has_ended:
        return HostedEvent(folder, note)
    if note.check_in_ends is None:
        # Written by a version in which check-in had no end.
        note = replace(note, check_in_ends=note.begins or note.opened + CHECK_IN_SECONDS)
    try:
        filled = filled_settings(note.text, note.entries)
        return hosted_event(without_places(filled, note.text, note.entries), note, folder)
    except EventFileError:
        # Its run fails with the same error and reports it.
        return HostedEvent(folder, note)


def hosted_event(settings: Settings, note: Note, folder: EventFolder) -> HostedEvent:
    """Return an event that is about to run."""
    awaited = [entrant.name for entrant in settings.remote_entrants]
    return HostedEvent(folder, note, awaited=awaited, processes=house_processes(settings))


def begin_anew(settings: Settings, note: Note, folder: EventFolder) -> None:
    """Create the folder of a new event and begin it there, unless authors may enter before it begins.

    On failure, remove the folder again.

    Raises:
        EventConflictError: the folder exists, or cannot be written.
    """
    try:
        folder.path.mkdir()
    except FileExistsError:
        sentence = f"another event has the folder {folder.path.name!r}, which cannot be read: choose another 'name'"
        raise EventConflictError(sentence) from None
    except OSError as error:
        raise EventConflictError(f"the server cannot save the event: {error.strerror}") from None
    try:
        with _kept(folder):
            private_folder(folder.private)
        # The note comes first: after a power cut here, the next start finds the event and begins it.
        _write(note, folder)
        _begin(settings, note, folder, may_mend=False)
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        raise


def go_on(settings: Settings, note: Note, folder: EventFolder, *, may_mend: bool) -> None:
    """Resume an event in its folder, with a file that asks for more, or any other if no entrant has checked in.

    Args:
        settings: the event.
        note: the note to write.
        folder: the folder of the event.
        may_mend: True if the caller owns it, and so may change the file before the first check-in.

    Raises:
        EventRefusedError: a change comes too late, or takes something away.
        EventConflictError: it cannot be resumed.
    """
    _begin(settings, note, folder, may_mend=may_mend)
    _write(note, folder)


def _begin(settings: Settings, note: Note, folder: EventFolder, *, may_mend: bool) -> None:
    """Begin or change an event in its store, unless authors may still enter: it then begins with them.

    Only its owner is shown which keys of the file differ.
    """
    if note.stage is HostedStage.ENTRY:
        return
    try:
        with _kept(folder), event_store(folder, None) as store:
            KeptEvent(settings, note.whole_text, store, folder, None).begin_or_change(may_mend=may_mend)
    except ChangedEventError as error:
        if not may_mend:
            raise _other_event(folder) from None
        raise EventConflictError(f"{error.changes}. Put it back, or choose another 'name'") from None
    except ChangeError as error:
        raise EventRefusedError(f"the event file: {error}") from None
    except FolderBusyError:
        raise EventConflictError(f"another program works on {settings.event.name!r}: wait until it is done") from None


def publish_restored(folder: EventFolder) -> None:
    """Publish the state of an event that came from a backup.

    Raises:
        OSError: the folder cannot be written to.
        StoreError: the database fails.
        ValueError: its note or event file is not one of this version.
    """
    text = read_note(folder).whole_text
    with Store.open(folder.store) as store:
        publish_event(parse_event(text), text, store, folder)


def _write(note: Note, folder: EventFolder) -> None:
    with _kept(folder):
        note.write(folder)


@contextmanager
def _kept(folder: EventFolder) -> Iterator[None]:
    """Turn failures to store an event into ``EventConflictError``, without paths of the server."""
    try:
        yield
    except OSError as error:
        raise EventConflictError(f"the server cannot save the event: {error.strerror}") from None
    except StoreFailedError:
        raise EventConflictError("the server cannot save the event: its database or its disk does not work") from None
    except ChangedEventError:
        raise
    except StoreError:
        raise _other_event(folder) from None


def _other_event(folder: EventFolder) -> EventConflictError:
    return EventConflictError(
        f"another event has the folder {folder.path.name!r}, or its store is damaged: choose another 'name'"
    )
