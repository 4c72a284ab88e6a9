"""All hosted events of a server: opening, stopping and removing them, and resuming them after a restart."""

import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from math import ceil
from pathlib import Path
from typing import Final

import trio

from ordago.arena.event_router import EventRouter
from ordago.edge.services.event_keeper import Caller
from ordago.store import StoreError
from ordago.store.accounts.rows import Act, Actor
from ordago_ladder.event_file.entry import Entry, entries_beside
from ordago_ladder.folder import EventFolder
from ordago_ladder.hosted.entering import with_entry, without_entry
from ordago_ladder.hosted.events_api import (
    ActLog,
    EventConflictError,
    EventLimitError,
    EventRefusedError,
    EventTakenError,
    HostedStage,
    HostedState,
    NoEventError,
    NotYoursError,
    Removed,
)
from ordago_ladder.hosted.folders import begin_anew, events_in, free_bytes, go_on, hosted_event
from ordago_ladder.hosted.hosted_event import HostContext, HostedEvent
from ordago_ladder.hosted.note import Note
from ordago_ladder.hosted.permissions import (
    KEPT,
    OPEN,
    Taken,
    check_alike,
    check_in_end,
    check_processes,
    check_reserved,
    complete_settings,
    hosted_settings,
    house_processes,
    room_refusal,
)
from ordago_ladder.hosted.removal import Removals, RemovedEvent
from ordago_ladder.settings.settings import Settings

_LOOK_SECONDS: Final = 5.0
"""Seconds between two checks of the free disk space."""
_MEASURE_LOOKS: Final = 4
"""Checks between two measurements, each of one event: the largest event has 40,000 files, which take 0.25 s of CPU time
to read the sizes of."""
_LAST_SECONDS: Final = 20.0
"""Seconds that a stopping server waits for its events. They publish the rest after the next start."""
_MOMENT_SECONDS: Final = 1.0
"""Seconds to wait for the last tasks of an event whose end is noted."""

_logger = logging.getLogger("ordago.event")


class Hosting:
    """All events of a server. The methods of ``HostedEvents`` may be called in any thread except trio's."""

    def __init__(
        self,
        path: Path,
        acts: ActLog,
        *,
        now: Callable[[], float] = time.time,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        """Restore the events of a folder, which has to be locked by ``opened_folder``.

        Args:
            path: the folder, with a subfolder for each event.
            acts: the log of acts on events of other accounts, and of removals.
            now: returns the time, in seconds since 1970 UTC.
            free: returns the free space on the disk of a folder, in bytes.

        Raises:
            OSError: the folder cannot be read.
        """
        self._path = path
        self._acts = acts
        self._now = now
        self._free = free
        self._lock = threading.Lock()
        """Held to open, stop or remove an event, never in trio's thread."""
        self._removals = Removals(path)
        self._events = {event.name: event for event in events_in(path)}
        self._router: EventRouter | None = None
        self._context: HostContext | None = None
        self._nursery: trio.Nursery | None = None
        self._token: trio.lowlevel.TrioToken | None = None

    # Called by the server, in trio's thread.

    def come_in_by(self, router: EventRouter) -> None:
        """Announce the events that resume to the router, before the first bot can connect."""
        self._router = router
        for event in self._running():
            router.promise(event.name)

    @asynccontextmanager
    async def running(self, context: HostContext) -> AsyncIterator[None]:
        """Resume events and accept new ones while the context is open; stop them at its end."""
        async with trio.open_nursery() as nursery:
            self._context, self._nursery = context, nursery
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
        """Open no more events, and stop the running ones, which resume at the next start of the server."""
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
        assert self._context is not None
        await event.run(self._context)

    async def _watch_the_disk(self) -> None:
        for turn in count(1):
            await trio.sleep(_LOOK_SECONDS)
            if not turn % _MEASURE_LOOKS:
                await self._measure(turn // _MEASURE_LOOKS)
            free_bytes = self._free_bytes()
            for event in self._running():
                refusal = self._room_refusal(event.note.opened_by, free_bytes)
                if refusal:
                    event.stop(HostedStage.FAILED, refusal)

    async def _measure(self, turn: int) -> None:
        """Measure one event, in turn, among those that run and those that were never measured."""
        due = [event for event in list(self._events.values()) if not event.size or not event.ended.is_set()]
        if due:
            await trio.to_thread.run_sync(due[turn % len(due)].measure)

    def _free_bytes(self) -> int:
        try:
            return self._free(self._path)
        except OSError:
            return 0

    def _room_refusal(self, account: str, free_bytes: int) -> str:
        own = sum(event.size for event in self._of(account, self._events.values()))
        return room_refusal(own_bytes=own, free_bytes=free_bytes)

    # Called in other threads; see ``HostedEvents``.

    def open(self, text: str, *, by: Caller, why: str = "") -> HostedState:
        """Open an event, or resume one that stopped or failed."""
        announce_to = self._context.announce_to if self._context else ()
        settings = hosted_settings(text, announce_to=announce_to)
        with self._lock:
            known = self._events.get(settings.event.name)
            if known is None:
                self._check_name(settings.event.name, by.account)
            else:
                self._check_own(known, by)
                if known.note.text == text and _needs_nothing(known):
                    return known.state
            # Whoever has entered stays, unless the file itself has an entrant for the account.
            entries = entries_beside(text, known.note.entries) if known else ()
            if entries:
                settings = hosted_settings(text, entries=entries, announce_to=announce_to)
            note = self._note(settings, text, known, by=by.account, entries=entries)
            if note.stage is not HostedStage.ENTRY:
                settings = complete_settings(note.whole_text)
            self._check_room(known, note.opened_by, house_processes(settings))
            event = self._noted(settings, note, known, by=by, why=why)
            self._events[event.name] = event
            self._begin_run(event, by=by.account)
            return event.state

    def _noted(self, settings: Settings, note: Note, known: HostedEvent | None, *, by: Caller, why: str) -> HostedEvent:
        """Write an event that is about to run to its folder, and return it."""
        folder = EventFolder(self._path / settings.event.name)
        if known is None:
            begin_anew(settings, note, folder)
        else:
            if note.opened_by != by.account:
                self._log(Act.OPEN_EVENT, known, by=by, why=why)
            go_on(settings, note, folder, may_mend=note.opened_by == by.account)
        return hosted_event(settings, note, folder)

    def _note(
        self, settings: Settings, text: str, known: HostedEvent | None, *, by: str, entries: tuple[Entry, ...]
    ) -> Note:
        begins = settings.event.begins
        entered = {entry.entrant for entry in entries if not entry.removed}
        named = [entrant for entrant in settings.entrants if entrant.name not in entered]
        is_open = settings.event.open_entry and begins is not None and begins.timestamp() > self._now()
        # Once it has begun, the settings are committed to, and bots may have come in.
        is_open = is_open and not EventFolder(self._path / settings.event.name).store.exists()
        note = Note(
            title=settings.event.heading,
            text=text,
            opened=int(self._now()),
            opened_by=by,
            # Rounded up: if entry closed before ``begins``, check-in would last only until then, not start_timeout.
            begins=ceil(begins.timestamp()) if begins else None,
            check_in_ends=check_in_end(settings, now=self._now()),
            stage=HostedStage.ENTRY if is_open else HostedStage.CHECK_IN,
            entries=entries,
            places=max(0, (settings.event.entrants_at_most or 0) - len(named)),
            named=tuple((one.name, (one.account or one.name) if one.remote else "") for one in named),
        )
        if known is None:
            return note
        return replace(note, opened=known.note.opened, opened_by=known.note.opened_by, size=known.size)

    def _check_name(self, name: str, account: str) -> None:
        """Check that an account may give a new event a name."""
        check_reserved(name)
        removed = self._removals.find(name)
        if removed is not None:
            day = datetime.fromtimestamp(removed.removed, UTC).date()
            sentence = f"the name {name!r} is that of an event that was removed on {day}: choose another 'name'"
            raise EventTakenError(sentence)
        taken = [Taken(event.name, event.note.opened_by) for event in self._events.values()]
        gone = [Taken(one.name, one.opened_by) for one in self._removals]
        check_alike(name, account, (*taken, *gone))

    def _check_room(self, known: HostedEvent | None, account: str, processes: int) -> None:
        """Check that an event of an account may run with this number of house bot processes."""
        if self._nursery is None:
            raise EventConflictError("the server is starting or shutting down: try again in a moment")
        if known is not None and _runs(known):
            sentence = f"{known.name!r} is running with another file: stop it first, or choose another name"
            raise EventConflictError(sentence)
        running = self._running()
        own = self._of(account, running)
        over = "wait until one is over, or stop one"
        OPEN.check(own=len(own), others=len(running) - len(own), are="are open", instead=over)
        check_processes(own=sum(event.processes for event in own), more=processes)
        if known is None:
            kept = len(self._of(account, self._events.values()))
            one_less = "remove one that is not needed"
            KEPT.check(own=kept, others=len(self._events) - kept, are="are kept", instead=one_less)
        refusal = self._room_refusal(account, self._free_bytes())
        if refusal:
            raise EventLimitError(refusal)

    def _begin_run(self, event: HostedEvent, *, by: str) -> None:
        assert self._router is not None
        assert self._token is not None
        _logger.info("event opened", extra={"subject": f"event {event.name}", "by": by})
        self._router.promise(event.name)
        # If the server is just stopping, the event resumes at the next start.
        # If trio has ended, the event has ended with the server.
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._start, event)

    def stop(self, name: str, *, by: Caller, why: str = "") -> HostedState:
        """Begin to stop an event."""
        with self._lock:
            event = self._find(name)
            self._check_own(event, by)
            if not event.ended.is_set() and self._token is not None:
                if event.note.opened_by != by.account:
                    self._log(Act.STOP_EVENT, event, by=by, why=_needed(why))
                sentence = f"stopped by {by.account}{f': {why}' if why else ''}"
                with suppress(trio.RunFinishedError):
                    self._token.run_sync_soon(event.stop, HostedStage.STOPPED, sentence)
            return event.state

    def remove(self, name: str, *, by: Caller, why: str = "") -> Removed:
        """Delete an event that does not run."""
        with self._lock:
            event = self._find(name)
            self._check_own(event, by)
            if _runs(event):
                raise EventConflictError(f"the event {name!r} is running: stop it first")
            owner = event.note.opened_by
            self._log(Act.REMOVE_EVENT, event, by=by, why=why if owner == by.account else _needed(why))
            removed = RemovedEvent(name=name, opened_by=owner, removed=int(self._now()), removed_by=by.account)
            try:
                files = self._removals.remove(removed)
            except OSError as error:
                sentence = f"the event {name!r} cannot be deleted: {error.strerror}; try again"
                raise EventConflictError(sentence) from None
            finally:
                if not event.folder.path.exists():
                    del self._events[name]
            _logger.info("event removed", extra={"subject": f"event {name}", "by": by.account, "files": files})
            return Removed(event.state, files)

    def enter(self, name: str, entry: Entry) -> HostedState:
        """Enter an author's entrant into an event that is open to authors."""
        event = self._find(name)
        event.change_entries(lambda note: with_entry(note, entry))
        _logger.info("entrant entered", extra={"subject": f"event {name}", "by": entry.account})
        return event.state

    def leave(self, name: str, entrant: str, *, by: Caller) -> HostedState:
        """Take an entrant that entered by itself out of an event that is open to authors."""
        event = self._find(name)
        event.change_entries(lambda note: without_entry(note, entrant, by=by))
        _logger.info("entrant left", extra={"subject": f"event {name}", "by": by.account})
        return event.state

    def _check_own(self, event: HostedEvent, by: Caller) -> None:
        if event.note.opened_by != by.account and not by.is_admin:
            sentence = (
                f"the event {event.name!r} belongs to the account {event.note.opened_by!r}: only that account and "
                "admins can change it"
            )
            raise NotYoursError(sentence)

    def _log(self, act: Act, event: HostedEvent, *, by: Caller, why: str) -> None:
        """Log an act on an event before it is done, so that it is known even if the server dies in between."""
        account = event.note.opened_by
        self._acts.note(act, account, by=Actor(by.account), now=self._now(), subject=event.name, why=why)

    def _of(self, account: str, events: Iterable[HostedEvent]) -> list[HostedEvent]:
        return [event for event in list(events) if event.note.opened_by == account]

    def state(self, name: str) -> HostedState:
        """Return the state of an event."""
        event = self._find(name)
        # Without its standings the state is still of use.
        with suppress(StoreError, OSError, ValueError):
            event.look_up_ladder()
        return event.state

    def states(self) -> Sequence[HostedState]:
        """Return the states of all events, newest first."""
        states = [event.state for event in list(self._events.values())]
        return sorted(states, key=lambda state: (-state.opened, state.name))

    def _find(self, name: str) -> HostedEvent:
        event = self._events.get(name)
        if event is None:
            raise NoEventError(f"there is no event {name[:64]!r} here; 'ordago event list' shows all events")
        return event


def _needs_nothing(event: HostedEvent) -> bool:
    return _runs(event) or event.note.stage is HostedStage.OVER


def _runs(event: HostedEvent) -> bool:
    if event.note.has_ended:
        # The end is noted a moment before its last tasks are over.
        event.ended.wait(_MOMENT_SECONDS)
    return not event.ended.is_set()


def _needed(why: str) -> str:
    """Return the reason of an admin for an act on an event of another account.

    Raises:
        EventRefusedError: the reason is empty.
    """
    if not why:
        raise EventRefusedError("the event belongs to another account, which can read why: give the reason with --why")
    return why
