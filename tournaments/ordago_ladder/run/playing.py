"""Plays matches of an event on one server: seats are taken, the journal is kept, and void matches begin anew.

Whoever issues the matches, and commits what comes of them, may be another process.
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
from ordago_ladder.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class RunContext:
    """Who issues the matches of an event, and knows what became of them: what the runner is to whoever plays."""

    settings: Settings
    folder: EventFolder
    hidden: tuple[Path, ...]
    """What no bot may read."""
    description: v1.DescribeEventResponse
    """What is told of the event to whoever asks."""
    journal: Journal
    """What was decided in matches that are not over."""
    terms: Callable[[PlannedMatch], MatchTerms]
    """Returns what the next attempt at a match is played under."""
    begin_anew: Callable[[str, Failure], Awaitable[None]]
    """Enters that a match is void, for this reason; returns when that is known for good."""
    head: Callable[[], Head]
    """Returns how far the ledger of the event has come."""
    suspended: Callable[[], tuple[Suspension, ...]]
    """Returns who is suspended."""
    warn: Callable[[str], None]
    """Tells the organiser something in one sentence."""
    unbuilt: Mapping[str, str]
    """Why nobody starts them, by entrant, of those whose builds failed."""


class Workforce(Protocol):
    """Whoever plays the matches of an event."""

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play some matches, and send each when it has come to its end.

        Raises:
            VoidMatchError: a match is void again and again.
            JournalError: a journal cannot be written.
            WorkforceError: nobody is there any more who could play.
        """

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches. It may be told several times."""


Opening = Callable[[RunContext], AbstractAsyncContextManager[Workforce]]
"""Opens the workforce of an event, for as long as it plays."""


class WorkforceError(Exception):
    """Whoever was to play is gone, and does not come back. No bot is to blame."""


class VoidAttemptError(Exception):
    """An attempt at a match that is void, since the server failed in it. Its bots do not know it yet."""

    def __init__(self, match_id: str, seats: Iterable[BotSeat], error: Exception) -> None:
        """Remember what failed, and who is to be told."""
        super().__init__(match_id)
        self.match_id = match_id
        self.failure = Failure.of(error)
        """What went wrong."""
        self._seats = seats

    def tell(self, head: Head) -> None:
        """Tell the bots, when the ledger knows it and has come so far."""
        tell_void(self._seats, "the server failed in a match", head)


class Playing:
    """Plays matches with the bots of one server."""

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
            entrant_bots: who plays.
            head: returns how far the ledger of the event has come.
            journal: where the choices of matches are entered that are not over.
            telemetry: where it is told what happens.
        """
        self._entrant_bots = entrant_bots
        self._head = head
        self._journal = journal
        self._telemetry = telemetry

    async def attempt(self, planned: PlannedMatch, terms: MatchTerms) -> "EndedMatch":
        """Play a match to its end, from where it was if it was begun before.

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
                # A full disk brings no new deals: the match goes on where it is when there is room again.
                raise failure.__cause__ from None
            raise VoidAttemptError(terms.match_id, seats, failure) from failure
        return EndedMatch(match, self._journal)


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that was played here to its end, and that the journal holds until it is committed."""

    match: UntoldMatch
    journal: Journal

    @property
    def match_id(self) -> str:
        """Its name."""
        return self.match.finished.match_id

    @property
    def entrants(self) -> Sequence[str]:
        """The entrant of each seat."""
        return [seat.name for seat in self.match.record.seats]

    def played(self) -> PlayedMatch:
        """Return what is to be committed. It takes milliseconds, and belongs into a worker thread."""
        return played_match(self.match.finished)

    def tell(self, record_digest: bytes, head: Head) -> None:
        """Tell the bots that it is committed, and how far the ledger has come with it."""
        self.journal.end_match(self.match_id)
        self.match.tell(record_digest, head)


class OwnServer:
    """The runner's own server, where it plays by itself."""

    def __init__(self, context: RunContext, playing: Playing, entrant_bots: EntrantBots) -> None:
        """Prepare to play, as many matches at once as the event says."""
        self._context = context
        self._playing = playing
        self._entrant_bots = entrant_bots
        self._room = trio.Semaphore(context.settings.event.parallel)

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play some matches. See ``Workforce``."""
        async with trio.open_nursery() as matches:
            for planned in due:
                await self._room.acquire()
                matches.start_soon(self._play_one, planned, finished)

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches."""
        self._entrant_bots.suspend(suspension)

    async def _play_one(self, planned: PlannedMatch, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        try:
            await finished.send(await self._until_it_counts(planned))
        finally:
            self._room.release()

    async def _until_it_counts(self, planned: PlannedMatch) -> EndedMatch:
        """Play a match, and begin it anew when it is void. Nobody is told of either before the office knows it."""
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
    """Let the runner play by itself, on the server where everybody has checked in."""
    playing = Playing(entrant_bots, head=context.head, journal=context.journal, telemetry=telemetry)
    yield OwnServer(context, playing, entrant_bots)
    entrant_bots.retire()


class _Both:
    """Two workforces: remote bots can only play where they come in."""

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
    """Let the tables of remote entrants be played at home, on the runner's own server, and all others elsewhere."""
    guests = frozenset(entrant.name for entrant in settings.remote_entrants)
    async with at_home as own, elsewhere as other:
        yield _Both(guests, at_home=own, elsewhere=other)
