"""The events that a server plays beside its tables: who opens and stops them, and how they go on after a restart."""

import logging
import shutil
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio
from filelock import FileLock, Timeout

from ordago.arena.halls import Halls
from ordago.files import PRIVATE_FILE, private_folder
from ordago.store import StoreError, StoreFailedError
from ordago_ladder.changes import ChangedEventError
from ordago_ladder.event_store import event_store
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.growth import GrowthError
from ordago_ladder.hosted.hosted_event import HostedEvent, Premises
from ordago_ladder.hosted.leave import hosted_settings
from ordago_ladder.hosted.note import Note, read_note
from ordago_ladder.hosted.office import (
    EventConflictError,
    EventRefusedError,
    HostedStage,
    HostedState,
    NoEventError,
)
from ordago_ladder.kept_event import KeptEvent
from ordago_ladder.settings import Settings

MOST_OPEN: Final = 8
"""So many events run at once."""
MOST_KEPT: Final = 1_000
"""So many events are kept in the folder."""
LEAST_FREE_BYTES: Final = 512 * 1024 * 1024
"""With less room on the disk events stop: what is left is for the tables."""
_LOOK_SECONDS: Final = 5.0
"""How often it is looked how much room there is."""
_STOP_SECONDS: Final = 30.0
"""For so long it is waited for an event that was stopped."""
_LAST_SECONDS: Final = 20.0
"""For so long a server that goes down waits for its events. What they have not published is published later."""
_FULL: Final = "there is too little room on the disk of the server; open it again when there is more"

_logger = logging.getLogger("ordago.event")


def free_bytes(path: Path) -> int:
    """Return how much room there is on the disk of a folder."""
    return shutil.disk_usage(path).free


class Hosting:
    """All events of a server. It is a ``HostedEvents``: what that has may be called in any thread but trio's."""

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], float] = time.time,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        """Take up what a folder holds, which nobody else uses: ``opened_folder``.

        Args:
            path: the folder, in which each event has one.
            now: the time, in seconds since 1970, UTC.
            free: returns how much room there is on the disk of a folder, in bytes.
        """
        self._path = path
        self._now = now
        self._free = free
        self._lock = threading.Lock()
        """Whoever opens an event has it; trio's thread never does."""
        self._events = {event.name: event for event in _kept_in(path)}
        self._halls: Halls | None = None
        self._premises: Premises | None = None
        self._nursery: trio.Nursery | None = None
        self._token: trio.lowlevel.TrioToken | None = None

    # What a server does with it, in trio's thread.

    def come_in_by(self, halls: Halls) -> None:
        """Promise those that go on to their bots, before the first can come in."""
        self._halls = halls
        for event in self._running():
            halls.promise(event.name)

    @asynccontextmanager
    async def running(self, premises: Premises) -> AsyncIterator[None]:
        """Let events be opened, and those go on that do, in this context; stop them at its end."""
        async with trio.open_nursery() as nursery:
            self._premises, self._nursery = premises, nursery
            self._token = trio.lowlevel.current_trio_token()
            for event in self._running():
                nursery.start_soon(self._run, event)
            nursery.start_soon(self._watch_the_disk)
            try:
                yield
            finally:
                self.close()
                with trio.move_on_after(_LAST_SECONDS, shield=True):
                    while self._running():  # noqa: ASYNC110 - they end in trio's thread and in others
                        await trio.sleep(0.05)
                nursery.cancel_scope.cancel()

    def close(self) -> None:
        """Open no more events, and stop those that run: they go on when the server is started again."""
        self._nursery = None
        for event in self._running():
            event.stop()

    def _running(self) -> list[HostedEvent]:
        return [event for event in list(self._events.values()) if not event.ended.is_set()]

    def _start(self, event: HostedEvent) -> None:
        if self._nursery is not None:
            self._nursery.start_soon(self._run, event)
        else:
            event.ended.set()

    async def _run(self, event: HostedEvent) -> None:
        assert self._premises is not None
        await event.run(self._premises)

    async def _watch_the_disk(self) -> None:
        while True:
            await trio.sleep(_LOOK_SECONDS)
            if self._is_full():
                for event in self._running():
                    event.stop(HostedStage.FAILED, _FULL)

    def _is_full(self) -> bool:
        try:
            return self._free(self._path) < LEAST_FREE_BYTES
        except OSError:
            return True

    # What it is asked, in other threads; see ``HostedEvents``.

    def open(self, text: str, *, by: str) -> HostedState:
        """Open an event, or go on with one that stopped or failed."""
        settings = hosted_settings(text)
        with self._lock:
            known = self._events.get(settings.event.name)
            if known is not None and known.note.text == text and _needs_nothing(known):
                return known.state
            self._check_room(known)
            folder = EventFolder(self._path / settings.event.name)
            _begin(settings, text, folder, is_own=known is not None and known.note.opened_by == by)
            awaited = [entrant.name for entrant in settings.remote_entrants]
            event = HostedEvent(folder, self._note(settings, text, known, by=by), awaited=awaited)
            with _kept(folder):
                event.note.write(folder)
            self._events[event.name] = event
            self._begin_run(event, by=by)
            return event.state

    def _note(self, settings: Settings, text: str, known: HostedEvent | None, *, by: str) -> Note:
        begins = settings.event.begins
        note = Note(
            title=settings.event.heading,
            text=text,
            opened=int(self._now()),
            opened_by=by,
            begins=int(begins.timestamp()) if begins else None,
            stage=HostedStage.CHECK_IN,
        )
        return note if known is None else replace(note, opened=known.note.opened, opened_by=known.note.opened_by)

    def _check_room(self, known: HostedEvent | None) -> None:
        if self._nursery is None:
            raise EventConflictError("the server starts or goes down just now: try again in a moment")
        if known is not None and not known.ended.is_set():
            sentence = f"{known.name!r} runs, with another file: stop it first, or choose another name"
            raise EventConflictError(sentence)
        if len(self._running()) >= MOST_OPEN:
            raise EventConflictError(f"{MOST_OPEN} events are open, and no more may be: wait until one is over")
        if known is None and len(self._events) >= MOST_KEPT:
            raise EventConflictError(f"{MOST_KEPT} events are kept on this server, and no more may be")
        if self._is_full():
            raise EventConflictError(_FULL)

    def _begin_run(self, event: HostedEvent, *, by: str) -> None:
        assert self._halls is not None
        assert self._token is not None
        _logger.info("event opened", extra={"subject": f"event {event.name}", "by": by})
        self._halls.promise(event.name)
        # Where the server goes down just now the event goes on at the next start.
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._start, event)

    def stop(self, name: str, *, by: str) -> HostedState:
        """Stop an event, and wait until it has ended."""
        event = self._find(name)
        if not event.ended.is_set() and self._token is not None:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(event.stop, HostedStage.STOPPED, f"stopped by {by}")
            event.ended.wait(_STOP_SECONDS)
        return event.state

    def state(self, name: str) -> HostedState:
        """Return what is known of an event."""
        event = self._find(name)
        with suppress(StoreError, OSError, ValueError):
            event.look_up_ladder()
        return event.state

    def states(self) -> Sequence[HostedState]:
        """Return what is known of all events, the newest first."""
        states = [event.state for event in list(self._events.values())]
        return sorted(states, key=lambda state: (-state.opened, state.name))

    def _find(self, name: str) -> HostedEvent:
        event = self._events.get(name)
        if event is None:
            raise NoEventError(f"there is no event {name[:64]!r} here; 'ordago event list' names those that there are")
        return event


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


def _kept_in(path: Path) -> Iterator[HostedEvent]:
    """Yield the events of a folder. What cannot be read is told, and keeps no other from going on."""
    for folder in map(EventFolder, sorted(path.iterdir())):
        try:
            yield HostedEvent(folder, read_note(folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            sentence = f"what is noted of it cannot be read: {error}"
            _logger.warning("worth a look", extra={"subject": f"event {folder.path.name}", "what": sentence})


def _needs_nothing(event: HostedEvent) -> bool:
    return not event.ended.is_set() or event.note.stage is HostedStage.OVER


def _begin(settings: Settings, text: str, folder: EventFolder, *, is_own: bool) -> None:
    """Begin an event in its store, or let it grow; where it is the organiser's own, mend it or say what was changed."""
    try:
        with _kept(folder), event_store(folder, None) as store:
            KeptEvent(settings, text, store, folder, None).begin_or_grow(may_mend=is_own)
    except ChangedEventError as error:
        if not is_own:
            raise _other_event(folder) from None
        raise EventConflictError(f"{error.changes}. Put it back, or choose another 'name'") from None
    except GrowthError as error:
        raise EventRefusedError(f"the event file: {error}") from None
    except FolderBusyError:
        raise EventConflictError(f"another program works on {settings.event.name!r}: wait until it is done") from None


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
