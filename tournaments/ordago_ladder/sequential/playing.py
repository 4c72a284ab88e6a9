"""Play the sets of a comparison until it is over."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

import trio

from ordago import v1
from ordago.arena.play import play_untold, tell_void
from ordago.arena.processes.isolation.sampler import sampling
from ordago.edge import open_host
from ordago.edge.sockets import UNIX
from ordago.record import result_of
from ordago.store import Entrant, PlannedMatch
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.entrants.entrant_bots import EntrantBots, check_games
from ordago_ladder.entrants.remote import RemoteEntrants
from ordago_ladder.entrants.sandboxes import Sandboxes, exposures, isolation_of
from ordago_ladder.matches.terms import match_terms
from ordago_ladder.run.attempts import Failure, void_again, write_down
from ordago_ladder.sequential.set_sequence import Finished, SetPlayed, SetSequence
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import Unwatched

_AHEAD: Final = 4
"""Sets begun ahead of the first open one, as a multiple of those played at once. A slow bot then holds up the test and
does not fill the memory with later sets."""

_LEAVE_SECONDS: Final = 3.0
"""Seconds for bots to disconnect when the comparison is over."""


class ComparisonListener(Protocol):
    """Listener to the progress of a comparison."""

    def checked_in(self) -> None:
        """All bots are connected, and the first set begins."""

    def began(self) -> None:
        """A match begins."""

    def counted(self, played: SetPlayed, records: Sequence[v1.MatchRecord]) -> None:
        """A set counts now; ``records`` are those of its matches."""

    def noted(self, sentence: str) -> None:
        """Show a fact about the whole comparison, for instance its isolation."""

    def warned(self, sentence: str) -> None:
        """Show a warning about something that happened."""


async def play_comparison(
    settings: Settings,
    sets: Sequence[Sequence[PlannedMatch]],
    course: SetSequence,
    *,
    secret: bytes,
    logs: Path,
    hidden: Sequence[Path],
    listener: ComparisonListener,
) -> None:
    """Play sets of an event of one game and one table, in order, until the course is over.

    Matches that are still open then are abandoned.

    Args:
        settings: the event. Its deals come from the secret alone: the same secret gives the same deals.
        sets: the matches of each set.
        course: collects the matches and decides when the comparison is over.
        secret: the secret that the deals come from.
        logs: the folder for the output of the bots, which they may not read.
        hidden: other paths that bots may not read.
        listener: is notified of progress and warnings.

    Raises:
        NoIsolationError: the settings ask for isolation, and this machine cannot isolate bots.
        FailedToStartError: a bot did not connect.
        EntrantError: a bot does not play the game.
        VoidMatchError: the server failed in every attempt at a match.
        NotStartableError: a bot could not be started through no fault of its own.
    """
    with isolation_of(settings) as isolation:
        for sentence in (*((isolation.sentence,) if isolation else ()), *exposures(settings, isolation)):
            listener.noted(sentence)
        telemetry = Telemetry()
        opened = open_host([settings.games[0].name], telemetry=telemetry, unix_socket=True)
        with trio.CancelScope() as staying:
            async with sampling() as sampler, opened as host:
                sandboxes = Sandboxes(
                    settings, isolation, hidden=(logs, *hidden), socket=Path(host.address.removeprefix(UNIX))
                )
                bots = EntrantBots(
                    settings,
                    host=host,
                    sandboxes=sandboxes,
                    sampler=sampler,
                    logs=logs,
                    warn=listener.warned,
                    telemetry=telemetry,
                    remote=RemoteEntrants(settings, listener=Unwatched()),
                )
                entrants = await _check_in(settings, bots)
                listener.checked_in()
                await _Play(settings, course, bots, entrants, secret=secret, logs=logs, listener=listener).to_the_end(
                    sets
                )
                bots.retire()
                staying.deadline = trio.current_time() + _LEAVE_SECONDS


async def _check_in(settings: Settings, entrant_bots: EntrantBots) -> dict[str, Entrant]:
    bots = await entrant_bots.check_in(awaited=(), new=())
    check_games(bots, settings)
    # The deals come from the secret alone, so the nonces are empty.
    return {name: Entrant(name, b"", bot.identity.version, bot.identity.build) for name, bot in bots.items()}


class _Play:
    """The sets of a comparison in play, several at once."""

    def __init__(
        self,
        settings: Settings,
        course: SetSequence,
        bots: EntrantBots,
        entrants: dict[str, Entrant],
        *,
        secret: bytes,
        logs: Path,
        listener: ComparisonListener,
    ) -> None:
        self._settings = settings
        self._course = course
        self._bots = bots
        self._entrants = entrants
        self._secret = secret
        self._logs = logs
        self._listener = listener
        self._room = trio.Semaphore(settings.event.parallel)
        self._counted = trio.Condition()
        self._records: dict[int, list[v1.MatchRecord]] = {}
        """Records by the number of their set, for sets that do not count yet."""

    async def to_the_end(self, sets: Sequence[Sequence[PlannedMatch]]) -> None:
        ahead = _AHEAD * -(-self._settings.event.parallel // len(sets[0]))
        async with trio.open_nursery() as matches:
            for number, planned in enumerate(sets):
                await self._until_near(number, ahead)
                for match in planned:
                    await self._room.acquire()
                    self._listener.began()
                    matches.start_soon(self._play, number, match, matches.cancel_scope)

    async def _until_near(self, number: int, ahead: int) -> None:
        async with self._counted:
            while number >= self._course.sets + ahead:
                await self._counted.wait()

    async def _play(self, number: int, planned: PlannedMatch, matches: trio.CancelScope) -> None:
        try:
            record = await self._until_it_counts(planned)
        finally:
            self._room.release()
        self._records.setdefault(number, []).append(record)
        for played in self._course.add(number, Finished(planned.entrants, result_of(record))):
            self._listener.counted(played, self._records.pop(played.number - 1))
        async with self._counted:
            self._counted.notify_all()
        if self._course.over:
            matches.cancel()

    async def _until_it_counts(self, planned: PlannedMatch) -> v1.MatchRecord:
        """Play a match. If the server fails in it, begin again with other deals."""
        times = 1 + self._settings.event.attempts
        for attempt in range(times):
            seats = await self._bots.take_seats(planned)
            terms = match_terms(
                planned, settings=self._settings, secret=self._secret, entrants=self._entrants, attempt=attempt
            )
            try:
                match = await play_untold(terms, seats)
            except trio.Cancelled:
                tell_void(seats, "the match is not needed any more")
                raise
            except Exception as failure:  # noqa: BLE001 - any error here is the server's, not a bot's
                tell_void(seats, "the server failed in a match")
                self._tell_of_failure(terms.match_id, attempt, failure)
            else:
                match.tell()
                return match.record
        raise void_again(planned, times=times, logs=self._logs)

    def _tell_of_failure(self, match_id: str, attempt: int, failure: Exception) -> None:
        log = write_down(Failure.of(failure), match_id, attempt=attempt, logs=self._logs)
        self._listener.warned(f"the server failed in match {match_id}, which starts again; the error is in {log}")
