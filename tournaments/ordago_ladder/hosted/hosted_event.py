"""One event on a server: its run, which never ends more than itself, and what is known of it meanwhile."""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
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
from ordago_ladder.hosted.events_api import HostedStage, HostedState
from ordago_ladder.hosted.note import Note
from ordago_ladder.hosted.removal import room_of
from ordago_ladder.matches.due import GrowthError
from ordago_ladder.publication.archive import ladder_of
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import StoppedError, VoidMatchError
from ordago_ladder.run.runner import run_event
from ordago_ladder.settings.settings import Settings

_TOLD: Final = (
    *(AbsentError, EntrantError, FailedToStartError, GrowthError, EventFileError),
    *(FolderBusyError, StoreError, JournalError, NoIsolationError, NotStartableError),
    *(EdgeError, EdgeFailedError, VoidMatchError),
)
"""Why a run ends before the event does, in sentences for people."""
COME_BACK_SECONDS: Final = 60.0
"""For so long check-in goes on at least when a server is started again."""
_MOST_NAMED: Final = 8
"""So many names stand in a sentence."""
_logger = logging.getLogger("ordago.event")


class HostContext(NamedTuple):
    """Where events are played: the server that is there anyway."""

    accounts: AccountTokens
    """Who has which token."""
    router: EventRouter
    """Hands connections on to the events that they are for."""
    address: str
    """Where the server is."""
    edge: Edge
    """The server."""
    bounds: ConnectionBounds
    """How many may come for an event."""
    hidden: Sequence[Path]
    """What no bot may read."""


class HostedEvent:
    """An event on a server. Its methods belong to trio's thread, but for those that say otherwise."""

    def __init__(self, folder: EventFolder, note: Note, *, awaited: Sequence[str] = (), processes: int = 0) -> None:
        """Take up an event as it is noted.

        Args:
            folder: where it is kept.
            note: what is noted of it.
            awaited: the remote entrants that it awaits.
            processes: how many processes its bots of the house have at once.
        """
        self.folder = folder
        """Where it is kept."""
        self.name = folder.path.name
        """What it is called."""
        self.processes = processes
        """How many processes its bots of the house have at once."""
        self.size = note.size
        """How much room it took on the disk when it was last measured, in bytes."""
        self.ended = threading.Event()
        """Set while it does not run. Any thread may wait."""
        self._note = note
        self._stopping = trio.Event()
        self._end: Note | None = None
        """How it ends where it is stopped; ``None`` where it goes on at the next start."""
        self._present: tuple[Sequence[str], Sequence[str]] = ((), awaited)
        self._ladder: Ladder | None = None
        if note.has_ended:
            self.ended.set()

    @property
    def note(self) -> Note:
        """What is noted of it. Any thread may ask."""
        return self._note

    @property
    def state(self) -> HostedState:
        """What is known of it. Any thread may ask."""
        note, (here, missing) = self._note, self._present
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
        )

    @property
    def _check_in_ends(self) -> int | None:
        """When check-in ends; ``None`` where nobody is awaited, or nobody new: then it is waited for a moment alone."""
        ends, (here, missing) = self._note.check_in_ends, self._present
        waits = self._note.stage is HostedStage.CHECK_IN and (here or missing)
        return ends if waits and ends is not None and ends > time.time() else None

    def measure(self) -> None:
        """Measure how much room it takes on the disk. Any thread but trio's."""
        self.size = room_of(self.folder)

    def look_up_ladder(self) -> None:
        """Look up the standings where nobody has told them since the server was started. Any thread but trio's."""
        if self._ladder is None and self._note.has_ended and self._note.played:
            with Store.open(self.folder.store) as store:
                self._ladder = ladder_of(parse_event(store.event().settings), store.state())

    def stop(self, stage: HostedStage | None = None, sentence: str = "") -> None:
        """Stop it: what was played is committed.

        Args:
            stage: how it ends then; ``None``: it goes on when the server is started again.
            sentence: why.
        """
        if not self._stopping.is_set():
            self._end = None if stage is None else replace(self._note, stage=stage, sentence=sentence)
            self._stopping.set()

    async def run(self, context: HostContext) -> None:
        """Run it until it has ended. Whatever goes wrong is noted, and ends nothing else."""
        try:
            await self._take(await self._ending(context))
        finally:
            if self._note.has_ended:
                context.router.forget(self.name)
            # From now on it may be opened again.
            self.ended.set()

    async def _ending(self, context: HostContext) -> Note | None:
        """Run it, and return how it ended; ``None`` where it goes on at the next start."""
        try:
            self._ladder = await self._run(context)
        except Exception as error:  # noqa: BLE001 - whatever it is, it may not end the server
            return self._after(_first_leaf(error))
        return replace(self._note, stage=HostedStage.OVER, sentence="")

    async def _run(self, context: HostContext) -> Ladder:
        settings = await trio.to_thread.run_sync(partial(parse_event, self._note.text))
        self._present = (), tuple(entrant.name for entrant in settings.remote_entrants)
        way = ByName(address=context.address, router=context.router, bounds=context.bounds)
        return await run_event(
            settings,
            self._note.text,
            self.folder,
            listener=self,
            # Of its own: what an event cannot write is no trouble of the tables.
            telemetry=Telemetry(),
            hidden=context.hidden,
            entrance=Entrance(context.accounts, way, until=self._until(settings)),
            beside=context.edge,
            stop=self._stopping.wait,
        )

    def _until(self, settings: Settings) -> datetime | None:
        """Return when check-in ends, unless the event file says so."""
        ends = self._note.check_in_ends
        if settings.event.begins is not None or ends is None:
            return None
        # A server that was away for long has its bots come back first.
        return datetime.fromtimestamp(max(ends, time.time() + COME_BACK_SECONDS), UTC)

    def _after(self, error: Exception) -> Note | None:
        if isinstance(error, StoppedError):
            end = self._end
            return end and replace(end, played=error.played, planned=error.planned)
        return replace(self._note, stage=HostedStage.FAILED, sentence=self._sentence(error))

    def _sentence(self, error: Exception) -> str:
        """Return what is said of a failure. Where the server keeps its files is its own business."""
        if isinstance(error, AbsentError) and self._note.stage is HostedStage.CHECK_IN:
            sentence = f"check-in is over, and {self._absent()} did not check in"
        elif isinstance(error, OSError):
            sentence = f"its files cannot be used: {error.strerror or type(error).__name__}"
        elif isinstance(error, _TOLD):
            sentence = str(error)
        else:
            _logger.error("an event failed", extra={"ordago_event": self.name}, exc_info=error)
            sentence = f"the server failed ({type(error).__name__}); its log says more"
        return sentence.replace(str(self.folder.path), self.name)

    def _absent(self) -> str:
        """Name those that were awaited and did not come."""
        _, missing = self._present
        more = len(missing) - _MOST_NAMED
        named = ", ".join(map(repr, missing[:_MOST_NAMED]))
        return f"{named} and {more} more" if more > 0 else named

    async def _take(self, note: Note | None) -> None:
        """Note how it ended, and say so in the log."""
        if note is None:
            return
        told = self.warned if note.stage is HostedStage.FAILED else self.noted
        told(f"{note.stage.value}: {note.sentence}" if note.sentence else note.stage.value)
        try:
            await trio.to_thread.run_sync(self.measure)
            note = replace(note, size=self.size)
            await trio.to_thread.run_sync(note.write, self.folder)
        except OSError as error:
            # It goes on when the server is started again, and comes to the same end.
            self.warned(f"how it ended cannot be noted: {error.strerror}")
        # At last: whoever sees that it has ended may open it again.
        self._note = note

    # Who watches its run; see ``Watcher``.

    def began(self, *, played: int, planned: int) -> None:
        """Matches are played now."""
        self._note = replace(self._note, stage=HostedStage.PLAYING, played=played, planned=planned)

    def played(self, number: int) -> None:
        """So many more results were committed."""
        self._note = replace(self._note, played=self._note.played + number)

    def standings(self, ladder: Ladder) -> None:
        """The ladder changed."""
        self._ladder = ladder

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """These remote entrants have checked in, and it is waited for those."""
        self._present = here, tuple(missing)

    def noted(self, sentence: str) -> None:
        """Something holds for the run."""
        _logger.info("event told", extra={"subject": f"event {self.name}", "what": sentence})

    def warned(self, sentence: str) -> None:
        """Something happened that whoever looks after the server should know."""
        _logger.warning("worth a look", extra={"subject": f"event {self.name}", "what": sentence})


def _first_leaf(error: Exception) -> Exception:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
