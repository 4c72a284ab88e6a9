"""Plays matches of an event on one server: seats are taken, the journal is kept, and void matches begin anew.

Whoever issues the matches, and commits what comes of them, may be another process.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import trio

from ordago import v1
from ordago.arena.play import UntoldMatch, play_untold, tell_void
from ordago.journal import Journal, JournalError
from ordago.match import MatchTerms
from ordago.record.head import Head
from ordago.store import PlannedMatch
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.attempts import VoidMatchError
from ordago_ladder.committing import Uncommitted
from ordago_ladder.entrant_bots import EntrantBots


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who issues matches, and knows what became of them."""

    terms: Callable[[PlannedMatch], MatchTerms]
    """Returns what the next attempt at a match is played under."""
    begin_anew: Callable[[str, Exception], Awaitable[None]]
    """Enters that a match is void, for this reason; returns when that is known for good."""
    head: Callable[[], Head]
    """Returns how far the ledger of the event has come."""


class Playing:
    """Plays matches with the bots of one server."""

    def __init__(
        self,
        entrant_bots: EntrantBots,
        *,
        issuer: Issuer,
        journal: Journal,
        telemetry: Telemetry,
        parallel: int,
        attempts: int,
        logs: Path,
    ) -> None:
        """Prepare to play.

        Args:
            entrant_bots: who plays.
            issuer: says what is played.
            journal: where the choices of matches are entered that are not over.
            telemetry: where it is told what happens.
            parallel: how many matches run at once at most.
            attempts: how often a match is begun at most.
            logs: the folder where it stands what went wrong.
        """
        self._entrant_bots = entrant_bots
        self._issuer = issuer
        self._journal = journal
        self._telemetry = telemetry
        self._room = trio.Semaphore(parallel)
        self._attempts = attempts
        self._logs = logs

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play some matches, and send each when it has come to its end.

        Raises:
            VoidMatchError: a match is void again and again.
            JournalError: the journal cannot be written.
        """
        async with trio.open_nursery() as matches:
            for planned in due:
                await self._room.acquire()
                matches.start_soon(self._play_one, planned, finished)

    async def _play_one(self, planned: PlannedMatch, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        try:
            await finished.send(_JournaledMatch(await self._until_it_counts(planned), self._journal))
        finally:
            self._room.release()

    async def _until_it_counts(self, planned: PlannedMatch) -> UntoldMatch:
        """Play a match, and begin it anew when it is void. Nobody is told of either before the issuer knows it.

        Raises:
            VoidMatchError: it is void again and again.
        """
        for _ in range(self._attempts):
            seats = await self._entrant_bots.take_seats(planned)
            terms = self._issuer.terms(planned)
            page = self._journal.page_for(terms)
            try:
                with self._telemetry.match(terms, goes_on_later=True):
                    return await play_untold(terms, seats, past=page.past, choice_log=page, head=self._issuer.head())
            except Exception as failure:  # noqa: BLE001 - whatever it was, it was no bot's fault
                if isinstance(failure.__cause__, JournalError):
                    # A full disk brings no new deals: the match goes on where it is when there is room again.
                    raise failure.__cause__ from None
                await self._issuer.begin_anew(terms.match_id, failure)
                tell_void(seats, "the server failed in a match", self._issuer.head())
        raise VoidMatchError(
            f"the server failed {self._attempts} times in match {planned.row + 1} of the schedule, {planned.game} with "
            f"{', '.join(dict.fromkeys(planned.entrants))}; what went wrong is in {self._logs}"
        )


@dataclass(frozen=True, slots=True)
class _JournaledMatch:
    """A match that was played here, and that the journal goes on with until it is committed."""

    match: UntoldMatch
    journal: Journal

    @property
    def record(self) -> v1.MatchRecord:
        return self.match.record

    def tell(self, record_digest: bytes, head: Head) -> None:
        self.journal.end_match(self.record.match_id)
        self.match.tell(record_digest, head)
