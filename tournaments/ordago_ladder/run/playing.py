"""Playing matches of an event on one server: taking seats, writing the journal, and repeating void matches.

The matches may be issued and committed by another process.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import trio

from ordago import v1
from ordago.arena.play import UntoldMatch, play_untold, tell_void
from ordago.arena.seat import BotSeat
from ordago.journal import Journal, JournalError
from ordago.match import MatchTerms
from ordago.record.head import Head
from ordago.store import PlannedMatch, PlayedMatch, played_match
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.entrants.entrant_bots import EntrantBots
from ordago_ladder.folder import EventFolder
from ordago_ladder.run.attempts import Failure, void_again
from ordago_ladder.run.commit_queue import Uncommitted
from ordago_ladder.schedule.conduct import Suspension
from ordago_ladder.schedule.turns import follow_one_another, in_turns
from ordago_ladder.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class RunContext:
    """The runner as a workforce sees it: it issues the matches of an event and knows their outcomes."""

    settings: Settings
    folder: EventFolder
    hidden: tuple[Path, ...]
    """The paths that no bot may read."""
    description: v1.DescribeEventResponse
    """The answer to ``DescribeEvent``."""
    journal: Journal
    """The decisions of matches that are not over."""
    terms: Callable[[PlannedMatch], MatchTerms]
    """Returns the terms of the next attempt at a match."""
    begin_anew: Callable[[str, Failure], Awaitable[None]]
    """Declares the current attempt at a match void; returns once that is committed."""
    head: Callable[[], Head]
    """Returns the head of the ledger."""
    suspended: Callable[[], tuple[Suspension, ...]]
    """Returns the suspensions so far."""
    warn: Callable[[str], None]
    """Shows the organiser a warning of one sentence."""
    unbuilt: Mapping[str, str]
    """The reasons of failed builds, by entrant. These bots are not started."""

    def is_dropped(self, planned: PlannedMatch) -> bool:
        """Return True if a match is not played any more, since an entrant of it is suspended."""
        return any(suspension.entrant in planned.entrants for suspension in self.suspended())


class Workforce(Protocol):
    """The processes that play the matches of an event."""

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play the matches that are due, and send each one when it is finished.

        Matches of entrants that are suspended meanwhile are left out.

        Raises:
            VoidMatchError: a match was void too many times.
            JournalError: a journal cannot be written.
            WorkforceError: no process is left that could play.
        """

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches. Further calls for it do nothing."""


Opening = Callable[[RunContext], AbstractAsyncContextManager[Workforce]]
"""A function that opens the workforce of an event, as a context."""


class WorkforceError(Exception):
    """The processes that were to play are gone for good. No bot is to blame."""


class VoidAttemptError(Exception):
    """An attempt at a match is void, since the server failed in it. Its bots are not notified yet."""

    def __init__(self, match_id: str, seats: Iterable[BotSeat], error: Exception) -> None:
        """Keep the failure, and the seats to notify."""
        super().__init__(match_id)
        self.match_id = match_id
        self.failure = Failure.of(error)
        """The failure of the server."""
        self._seats = seats

    def tell(self, head: Head) -> None:
        """Notify the bots, once the ledger has an entry for it; ``head`` is its head then."""
        tell_void(self._seats, "the server failed in a match", head)


class Playing:
    """A player of single attempts with the bots of one server."""

    def __init__(
        self,
        entrant_bots: EntrantBots,
        *,
        head: Callable[[], Head],
        journal: Journal,
        telemetry: Telemetry,
    ) -> None:
        """Prepare to play.

        Args:
            entrant_bots: the bots.
            head: returns the head of the ledger.
            journal: stores the choices of running matches.
            telemetry: counts matches and times.
        """
        self._entrant_bots = entrant_bots
        self._head = head
        self._journal = journal
        self._telemetry = telemetry

    async def attempt(self, planned: PlannedMatch, terms: MatchTerms) -> "EndedMatch":
        """Play a match to its end, continuing from the journal if it was begun before.

        Raises:
            VoidAttemptError: the server failed.
            JournalError: the journal cannot be written.
        """
        seats = await self._entrant_bots.take_seats(planned)
        page = self._journal.page_for(terms)
        try:
            with self._telemetry.match(terms, goes_on_later=True):
                match = await play_untold(terms, seats, past=page.past, choice_log=page, head=self._head())
        except Exception as failure:
            if isinstance(failure.__cause__, JournalError):
                # A full disk is no reason for new deals: the match continues once there is room again.
                raise failure.__cause__ from None
            raise VoidAttemptError(terms.match_id, seats, failure) from failure
        return EndedMatch(match, self._journal)


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that was finished here. The journal holds it until it is committed."""

    match: UntoldMatch
    journal: Journal

    @property
    def match_id(self) -> str:
        """The id of the match."""
        return self.match.finished.match_id

    @property
    def entrants(self) -> Sequence[str]:
        """The entrant of each seat."""
        return [seat.name for seat in self.match.record.seats]

    def played(self) -> PlayedMatch:
        """Return the match as it is committed. It takes milliseconds, so call it in a worker thread."""
        return played_match(self.match.finished)

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Notify the bots of the commit and the head of the ledger after it."""
        self.journal.end_match(self.match_id)
        self.match.tell(record_digest, head)


class OwnServer:
    """The runner's own server as a ``Workforce``."""

    def __init__(self, context: RunContext, playing: Playing, entrant_bots: EntrantBots) -> None:
        """Prepare to play ``parallel`` matches of the event at once."""
        self._context = context
        self._playing = playing
        self._entrant_bots = entrant_bots
        self._room = trio.Semaphore(context.settings.event.parallel)

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play the matches that are due. See ``Workforce``."""
        settings, begun = self._context.settings, dict[str, trio.Event]()
        async with trio.open_nursery() as matches:
            for planned in in_turns(due, settings):
                await self._room.acquire()
                earlier, over = begun.get(planned.set_key), trio.Event()
                if follow_one_another(planned, settings):
                    begun[planned.set_key] = over
                matches.start_soon(self._play_one, planned, finished, earlier, over)

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches."""
        self._entrant_bots.suspend(suspension)

    async def _play_one(
        self,
        planned: PlannedMatch,
        finished: trio.MemorySendChannel[Uncommitted],
        earlier: trio.Event | None,
        over: trio.Event,
    ) -> None:
        """Play a match once the earlier seating of its set is over, if it has to wait for one."""
        try:
            if earlier is not None:
                await earlier.wait()
            if not self._context.is_dropped(planned):
                await finished.send(await self._until_it_counts(planned))
        finally:
            over.set()
            self._room.release()

    async def _until_it_counts(self, planned: PlannedMatch) -> EndedMatch:
        """Play a match, with new attempts while it is void. Bots are notified only after the ledger has an entry."""
        times = 1 + self._context.settings.event.attempts
        for _ in range(times):
            try:
                return await self._playing.attempt(planned, self._context.terms(planned))
            except VoidAttemptError as void:
                await self._context.begin_anew(void.match_id, void.failure)
                void.tell(self._context.head())
        raise void_again(planned, times=times, logs=self._context.folder.logs)


@asynccontextmanager
async def open_own_server(
    context: RunContext, *, entrant_bots: EntrantBots, telemetry: Telemetry
) -> AsyncIterator[Workforce]:
    """Open the runner's own server, where all bots have checked in, as the workforce."""
    playing = Playing(entrant_bots, head=context.head, journal=context.journal, telemetry=telemetry)
    yield OwnServer(context, playing, entrant_bots)
    entrant_bots.retire()


class _Both:
    """Two workforces combined, since remote bots can only play on the server that they are connected to."""

    def __init__(self, guests: frozenset[str], *, at_home: Workforce, elsewhere: Workforce) -> None:
        self._guests = guests
        self._at_home = at_home
        self._elsewhere = elsewhere

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        matches = list(due)
        async with trio.open_nursery() as nursery:
            for workforce, at_home in ((self._at_home, True), (self._elsewhere, False)):
                own = [planned for planned in matches if self._guests.isdisjoint(planned.entrants) is not at_home]
                nursery.start_soon(workforce.play_all, own, finished)

    def suspend(self, suspension: Suspension) -> None:
        self._at_home.suspend(suspension)
        self._elsewhere.suspend(suspension)


@asynccontextmanager
async def open_both(
    settings: Settings,
    *,
    at_home: AbstractAsyncContextManager[Workforce],
    elsewhere: AbstractAsyncContextManager[Workforce],
) -> AsyncIterator[Workforce]:
    """Open two workforces: the runner's own server for matches with remote entrants, the other for the rest."""
    guests = frozenset(entrant.name for entrant in settings.remote_entrants)
    async with at_home as own, elsewhere as other:
        yield _Both(guests, at_home=own, elsewhere=other)
