"""One hosted event: its run, whose failure ends nothing else, and its current state."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago.arena.admission.account_tokens import AccountTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.event_router import EventRouter
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.isolation.choice import NoIsolationError
from ordago.arena.processes.supervisor import FailedToStartError
from ordago.edge import ByName, Edge, EdgeError, EdgeFailedError
from ordago.journal import JournalError
from ordago.store import StoreError
from ordago.store.event.store import Store
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.entrant_bots import EntrantError
from ordago_ladder.entrants.remote_entrant import AbsentError
from ordago_ladder.event_file.file import EventFileError, parse_event
from ordago_ladder.folder import EventFolder, FolderBusyError
from ordago_ladder.hosted.events_api import EventConflictError, HostedStage, HostedState
from ordago_ladder.hosted.note import Note
from ordago_ladder.hosted.removal import room_of
from ordago_ladder.matches.stages import ChangeError
from ordago_ladder.publication.archive import ladder_of
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError, VoidMatchError
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings.settings import Settings

_EXPECTED_ERRORS: Final = (
    *(AbsentError, EntrantError, FailedToStartError, ChangeError, EventFileError),
    *(FolderBusyError, StoreError, JournalError, NoIsolationError, NotStartableError),
    *(EdgeError, EdgeFailedError, VoidMatchError),
)
"""The errors of a run whose messages are shown to the organiser."""
COME_BACK_SECONDS: Final = 60.0
"""The least time for check-in after a restart of the server, so that bots can reconnect."""
_LONGEST_SLEEP_SECONDS: Final = 60.0
"""The longest wait without a look at the clock, which may be set while authors enter."""
_MOST_NAMED: Final = 8
"""The most names in a sentence."""
_logger = logging.getLogger("ordago.event")


class HostContext(NamedTuple):
    """The running server as hosted events use it."""

    accounts: AccountTokens
    """The accounts and their tokens."""
    router: EventRouter
    """Routes connections to their events."""
    address: str
    """The address of the server."""
    edge: Edge
    """The server."""
    bounds: ConnectionBounds
    """The limits of connections for an event."""
    hidden: Sequence[Path]
    """The paths that no bot may read."""
    announce_to: Collection[str] = ()
    """The hosts that events may be announced to, in lower case."""


class HostedEvent:
    """An event on a server. Call its methods in trio's thread, except those that say otherwise."""

    def __init__(self, folder: EventFolder, note: Note, *, awaited: Sequence[str] = (), processes: int = 0) -> None:
        """Restore an event from its note.

        Args:
            folder: the folder of the event.
            note: the note in it.
            awaited: the remote entrants that it waits for.
            processes: the number of processes that its house bots use at once.
        """
        self.folder = folder
        """The folder of the event."""
        self.name = folder.path.name
        """The name of the event."""
        self.processes = processes
        """The number of processes that its house bots use at once."""
        self.size = note.size
        """Its disk usage in bytes when last measured."""
        self.ended = threading.Event()
        """Set while it does not run. Any thread may wait for it."""
        self._note = note
        self._stopping = trio.Event()
        self._end: tuple[HostedStage, str] | None = None
        """The stage and the reason to note when it has stopped; ``None`` to resume at the next start of the server."""
        self._entering = threading.Lock()
        """Held to change the entries, never in trio's thread."""
        self._present: tuple[Sequence[str], Sequence[str]] = ((), awaited)
        self._ladder: Ladder | None = None
        if note.has_ended:
            self.ended.set()

    @property
    def note(self) -> Note:
        """The current note. Any thread may read it."""
        return self._note

    @property
    def state(self) -> HostedState:
        """The current state. Any thread may read it."""
        note, (here, missing) = self._note, self._present
        open_to_authors = note.stage is HostedStage.ENTRY
        if open_to_authors:
            missing = [*(name for name, account in note.named if account), *(one.entrant for one in note.entered)]
        return HostedState(
            name=self.name,
            title=note.title,
            stage=note.stage,
            sentence=note.sentence,
            opened=note.opened,
            opened_by=note.opened_by,
            begins=note.begins,
            played=note.played,
            planned=note.planned,
            here=tuple(here),
            missing=tuple(missing),
            check_in_ends=self._check_in_ends,
            size=self.size,
            ladder=self._ladder,
            folder=self.folder,
            entries=note.entered,
            places_left=note.places - len(note.entered) if open_to_authors else None,
        )

    @property
    def _check_in_ends(self) -> int | None:
        """The end of check-in; ``None`` if no entrant is awaited, or no new one, for which it waits a moment only."""
        ends, (here, missing) = self._note.check_in_ends, self._present
        waits = self._note.stage is HostedStage.CHECK_IN and (here or missing)
        return ends if waits and ends is not None and ends > time.time() else None

    def measure(self) -> None:
        """Measure its disk usage. Call it in any thread except trio's."""
        self.size = room_of(self.folder)

    def look_up_ladder(self) -> None:
        """Compute the standings of an ended event after a restart. Call it in any thread except trio's."""
        if self._ladder is None and self._note.has_ended and self._note.played:
            with Store.open(self.folder.store) as store:
                self._ladder = ladder_of(parse_event(store.event().settings), store.state())

    def stop(self, stage: HostedStage | None = None, sentence: str = "") -> None:
        """Stop the event. Finished matches are committed.

        Args:
            stage: the stage to note; ``None`` to resume at the next start of the server.
            sentence: the reason.
        """
        if not self._stopping.is_set():
            self._end = None if stage is None else (stage, sentence)
            self._stopping.set()

    def change_entries(self, change: Callable[[Note], Note]) -> None:
        """Change its entries durably, while it is open to authors. Call it in any thread except trio's.

        Raises:
            EventConflictError: it is not open to authors, or the change cannot be saved.
        """
        with self._entering:
            self._check_entry()
            note = change(self._note)
            try:
                note.write(self.folder)
            except OSError as error:
                raise EventConflictError(f"the server cannot save the event: {error.strerror}") from None
            self._note = note

    def _check_entry(self) -> None:
        note = self._note
        if not note.places and not note.entries:
            raise EventConflictError(f"authors cannot enter {self.name!r} themselves: ask the account that opened it")
        if note.stage is not HostedStage.ENTRY or time.time() >= (note.begins or 0):
            raise EventConflictError(f"entry to {self.name!r} is closed: authors enter and leave before it begins")
        if self._stopping.is_set():
            raise EventConflictError(f"the event {self.name!r} is stopping: try again in a moment")

    async def run(self, context: HostContext) -> None:
        """Run the event to its end. A failure is noted and ends nothing else."""
        try:
            await self._take(await self._ending(context))
        finally:
            if self._note.has_ended:
                context.router.forget(self.name)
            # From here on it may be opened again.
            self.ended.set()

    async def _ending(self, context: HostContext) -> Note | None:
        """Run the event and return its final note; ``None`` to resume at the next start of the server."""
        try:
            await self._await_authors(context)
            self._ladder = await self._run(context)
        except Exception as error:  # noqa: BLE001 - no failure of an event may end the server
            return self._after(_first_leaf(error))
        return replace(self._note, stage=HostedStage.OVER, sentence="")

    async def _await_authors(self, context: HostContext) -> None:
        """Wait until entry is closed, if the event is open to authors.

        Raises:
            StoppedError: it was stopped before.
        """
        if self._note.stage is not HostedStage.ENTRY:
            return
        begins = self._note.begins or 0
        context.router.promise_at(self.name, begins)
        while not self._stopping.is_set() and (seconds := begins - time.time()) > 0:
            with trio.move_on_after(min(seconds, _LONGEST_SLEEP_SECONDS)):
                await self._stopping.wait()
        await trio.to_thread.run_sync(self._close_entry)
        if self._stopping.is_set():
            raise StoppedError(played=0, planned=0)

    def _close_entry(self) -> None:
        """Let all accepted entries be saved, and accept no more."""
        with self._entering:
            if not self._stopping.is_set():
                note = replace(self._note, stage=HostedStage.CHECK_IN)
                note.write(self.folder)
                self._note = note

    async def _run(self, context: HostContext) -> Ladder:
        text = await trio.to_thread.run_sync(lambda: self._note.whole_text)
        settings = await trio.to_thread.run_sync(parse_event, text)
        self._present = (), tuple(entrant.name for entrant in settings.remote_entrants)
        way = ByName(address=context.address, router=context.router, bounds=context.bounds)
        return await run_event(
            settings,
            text,
            self.folder,
            listener=self,
            # Separate from the server's, so that write failures of an event are not counted as those of the tables.
            telemetry=Telemetry(),
            hidden=context.hidden,
            entrance=Entrance(context.accounts, way, until=self._until(settings)),
            on_loop_of=context.edge,
            stop=self._stopping.wait,
            announce_to=context.announce_to,
        )

    def _until(self, settings: Settings) -> datetime | None:
        """Return the end of check-in; ``None`` if the event file sets it."""
        ends = self._note.check_in_ends
        if settings.event.begins is not None or ends is None:
            return None
        # After a long downtime, bots get a moment to reconnect.
        return datetime.fromtimestamp(max(ends, time.time() + COME_BACK_SECONDS), UTC)

    def _after(self, error: Exception) -> Note | None:
        if isinstance(error, StoppedError):
            if self._end is None:
                return None
            stage, sentence = self._end
            return replace(self._note, stage=stage, sentence=sentence, played=error.played, planned=error.planned)
        return replace(self._note, stage=HostedStage.FAILED, sentence=self._sentence(error))

    def _sentence(self, error: Exception) -> str:
        """Return the sentence for a failure, without paths of the server."""
        if isinstance(error, AbsentError) and self._note.stage is HostedStage.CHECK_IN:
            sentence = f"check-in is over, and {self._absent()} did not check in"
        elif isinstance(error, OSError):
            sentence = f"its files cannot be used: {error.strerror or type(error).__name__}"
        elif isinstance(error, _EXPECTED_ERRORS):
            sentence = str(error)
        else:
            _logger.error("an event failed", extra={"ordago_event": self.name}, exc_info=error)
            sentence = f"the server failed ({type(error).__name__}); see its log"
        return sentence.replace(str(self.folder.path), self.name)

    def _absent(self) -> str:
        """Return the names of the missing entrants, as text."""
        _, missing = self._present
        more = len(missing) - _MOST_NAMED
        named = ", ".join(map(repr, missing[:_MOST_NAMED]))
        return f"{named} and {more} more" if more > 0 else named

    async def _take(self, note: Note | None) -> None:
        """Write the final note, and log it."""
        if note is None:
            return
        report = self.warned if note.stage is HostedStage.FAILED else self.noted
        report(f"{note.stage.value}: {note.sentence}" if note.sentence else note.stage.value)
        try:
            await trio.to_thread.run_sync(self.measure)
            note = replace(note, size=self.size)
            await trio.to_thread.run_sync(note.write, self.folder)
        except OSError as error:
            # The event resumes at the next start of the server, and ends in the same way.
            self.warned(f"its end cannot be saved: {error.strerror}")
        # Last, since a caller that sees the end may open the event again.
        self._note = note

    # The listener to its run; see ``EventListener``.

    def began(self, *, played: int, planned: int) -> None:
        """Note that matches begin."""
        self._note = replace(self._note, stage=HostedStage.PLAYING, played=played, planned=planned)

    def played(self, number: int) -> None:
        """Add committed results to the note."""
        self._note = replace(self._note, played=self._note.played + number)

    def standings(self, ladder: Ladder) -> None:
        """Keep the latest standings."""
        self._ladder = ladder

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Keep the remote entrants that are here, and those that are missing."""
        self._present = here, tuple(missing)

    def noted(self, sentence: str) -> None:
        """Log a fact about the run."""
        _logger.info("event told", extra={"subject": f"event {self.name}", "what": sentence})

    def warned(self, sentence: str) -> None:
        """Log a warning for the operator of the server."""
        _logger.warning("worth a look", extra={"subject": f"event {self.name}", "what": sentence})


def _first_leaf(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
