"""Run an event from its settings to a finished ladder, through any number of kills.

The next matches are always derived from the schedule and the committed results. A result counts once its transaction is
committed. A match that was running when the runner was killed continues from the journal: its bots are restarted and
asked the decisions that were still open. A match in which the server itself failed is void and played again with other
deals; see ``attempts``. An entrant that forfeits too many matches is suspended, and plays no more.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import trio

from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.isolation.confinement import Isolation
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.upkeep import keep_up
from ordago.edge import Edge, open_host
from ordago.edge.sockets import UNIX
from ordago.journal import Journal, JournalError
from ordago.match import MatchTerms
from ordago.record.ledgers.event import ClosingEntry, read_ledger
from ordago.store import Entrant, EventState, IssuedMatch, PlannedMatch
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.announcing.listener import announcing
from ordago_ladder.entrants.build import BuildPlace
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.entrant_bots import EntrantBots, brought_by, check_games
from ordago_ladder.entrants.event_builds import EventBuilds
from ordago_ladder.entrants.remote import RemoteEntrants, matches_by_entrant
from ordago_ladder.entrants.sandboxes import Sandboxes, isolation_notes, isolation_of
from ordago_ladder.event_file.file import time_problems
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.due import due_beacon, due_matches, schedule_of
from ordago_ladder.matches.parts import secret_of
from ordago_ladder.matches.terms import match_id_of, match_terms
from ordago_ladder.publication.ladder_process import LadderProcess
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run.attempts import Attempts, Failure, StoppedError, VoidMatchError, signalled, take_over_journals
from ordago_ladder.run.commit_queue import Committing, Uncommitted
from ordago_ladder.run.kept_event import KeptEvent, description_of, event_store, in_threads
from ordago_ladder.run.playing import Opening, RunContext, Workforce, WorkforceError, open_both, open_own_server
from ordago_ladder.run.run_note import noting
from ordago_ladder.run.store_check import suspensions_of
from ordago_ladder.schedule.process_slots import as_played
from ordago_ladder.schedule.schedule import Plan
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener


async def run_event(
    settings: Settings,
    text: str,
    folder: EventFolder,
    *,
    listener: EventListener,
    telemetry: Telemetry | None = None,
    hidden: Sequence[Path] = (),
    beacon: bytes | None = None,
    place: str | None = None,
    entrance: Entrance | None = None,
    opening: Opening | None = None,
    on_loop_of: Edge | None = None,
    stop: Callable[[], Awaitable[object]] | None = None,
    announce_to: Collection[str] | None = None,
) -> Ladder:
    """Run or resume an event to its end, publish it in the folder, and return its ladder.

    Args:
        settings: the event.
        text: the text of the event file.
        folder: the output folder.
        listener: follows the progress.
        telemetry: counts and times the work of the server.
        hidden: paths that no bot may read, such as the event file, in addition to the output folder.
        beacon: the value of the beacon, in the first run after the one with check-in.
        place: the URL of the database of the event; ``None`` for the file in the output folder.
        entrance: the entrance for remote bots; ``None`` if no entrant is remote.
        opening: opens the workforce; ``None`` to play in this process.
        on_loop_of: an open server of this process, if there is one.
        stop: waits for the organiser's order to stop; ``None`` for signals, see ``orders_to_stop``.
        announce_to: the hosts that may be announced to; ``None`` for anywhere.

    Raises:
        NoIsolationError: the event asks for isolation, and this machine supports none.
        FolderBusyError, StoreBusyError: another run uses the folder, or the event in its database.
        ChangedEventError: the folder belongs to another event, or its file was changed after check-in.
        StoreError: its database was tampered with, or fails.
        ChangeError: a change of the event file comes too late, or takes something away.
        BeaconError, BeaconDueError: the value of the beacon is invalid here, or is missing after check-in.
        JournalError: the journal of running matches cannot be read or written.
        BuildError: the build of an entrant failed, or its folder has changed since check-in.
        FailedToStartError, AbsentError: a bot did not connect at check-in, or a remote entrant did not check in.
        EntrantError: a bot does not play all games of the event.
        StoppedError: the organiser stopped the run.
        VoidMatchError: the server failed too many times in a match.
        WorkforceError, NotStartableError: the workforce is gone, or a bot could not be started and is not to blame.
    """
    opened = event_store(folder, place, listener.noted)
    announced = announcing(settings, folder, listener, hosts=announce_to)
    isolated = in_threads(isolation_of(settings.present))
    async with isolated as isolation, in_threads(opened) as store, noting(folder, announced) as watched:
        event = KeptEvent(settings, text, store, folder, place)
        state = await event.begin(beacon)
        ladder = await event.publish()
        if not state.event.finished:
            with closing(Journal(folder.journal)) as journal:
                take_over_journals(folder, journal)
                for sentence in isolation_notes(settings.present, isolation):
                    listener.noted(sentence)
                if not any(entrant.nonce for entrant in state.entrants):
                    for sentence in time_problems(settings, now=datetime.now(tz=UTC)):
                        listener.warned(sentence)
                # Planning a large event takes a while, so it runs in a thread and does not delay other matches.
                prepared = partial(
                    _Run,
                    event,
                    state,
                    journal,
                    isolation=isolation,
                    hidden=tuple(Path.cwd() / path for path in (folder.path, *hidden)),
                    opening=opening,
                    listener=watched,
                    telemetry=telemetry or Telemetry(),
                    entrance=entrance,
                    on_loop_of=on_loop_of,
                    stop=stop or signalled,
                )
                run = await trio.to_thread.run_sync(prepared)
                await run.to_the_end()
            await trio.to_thread.run_sync(store.finish_event)
            ladder = await event.publish()
        watched.standings(ladder)
        return ladder


class _Run:
    """One run of an event: check-in, rounds of matches, and the end or a stop."""

    def __init__(
        self,
        event: KeptEvent,
        state: EventState,
        journal: Journal,
        *,
        isolation: Isolation | None,
        hidden: tuple[Path, ...],
        opening: Opening | None,
        listener: EventListener,
        telemetry: Telemetry,
        entrance: Entrance | None,
        on_loop_of: Edge | None,
        stop: Callable[[], Awaitable[object]],
    ) -> None:
        self._event = event
        self._on_loop_of = on_loop_of
        self._stop = stop
        self._entrance = entrance
        self._settings = event.settings
        self._present = event.settings.present
        self._remote = RemoteEntrants(self._present, listener=listener, until=entrance and entrance.until)
        self._store = event.store
        self._logs = event.folder.logs
        self._secret = state.event.secret
        self._ledger = read_ledger(state.lines)
        self._journal = journal
        self._isolation = isolation
        self._hidden = hidden
        self._opening = opening
        self._listener = listener
        self._telemetry = telemetry
        self._schedule = schedule_of(event.settings, self._ledger)
        self._due = due_matches(event.settings, self._ledger, state.results, schedule=self._schedule)
        self._played = len(state.results)
        self._more_played = trio.Event()
        self._attempts = Attempts(event.store, logs=self._logs, warn=listener.warned)
        self._entrants: dict[str, Entrant] = {}
        self._stopped = False
        self._failure: Exception | None = None
        self._builds = EventBuilds(self._present, BuildPlace(isolation, hidden, self._logs), event.folder)
        self._unbuilt: Mapping[str, str] = {}
        self._workforce: Workforce | None = None
        suspensions = suspensions_of(event.settings, state, self._ledger)
        done = {played.match.match_id for played in state.results}
        self._committing = Committing(event.store, suspensions=suspensions, head=self._ledger.head, committed=done)
        self._publisher = LadderProcess(event.folder, place=event.place, tell=listener.standings, warn=listener.warned)

    async def to_the_end(self) -> None:
        """Play the matches that are due. After a stop or failure, commit all finished matches first."""
        finished, to_commit = trio.open_memory_channel[Uncommitted](self._settings.event.parallel)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._committing.commit_all, to_commit, self._committed)
            async with finished:
                await self._play_until_stopped(finished)
        if self._failure is not None:
            # With a full disk nothing can be published either; the failure raised below says so.
            with suppress(OSError):
                await self._event.publish()
            raise self._failure
        if self._stopped:
            await self._event.publish()
            due = await trio.to_thread.run_sync(self._due_now)
            raise StoppedError(played=self._played, planned=len(due.matches))

    async def _play_until_stopped(self, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        try:
            async with trio.open_nursery() as playing:
                playing.start_soon(self._watch_for_stop, playing.cancel_scope)
                playing.start_soon(keep_up, self._journal, self._telemetry)
                playing.start_soon(self._publisher.run)
                await self._play(finished)
                playing.cancel_scope.cancel()
        except* (VoidMatchError, JournalError, NotStartableError, WorkforceError) as group:
            # Raised again in to_the_end, once all finished matches are committed.
            self._failure = group.exceptions[0]
            while isinstance(self._failure, ExceptionGroup):
                self._failure = self._failure.exceptions[0]

    async def _watch_for_stop(self, playing: trio.CancelScope) -> None:
        await self._stop()
        self._stopped = True
        playing.cancel()

    async def _play(self, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        self._unbuilt = await self._builds.before_start(self._ledger.came)
        games = [game.name for game in self._settings.games]
        description = description_of(self._ledger)
        guests = self._remote.guests(self._entrance)
        opened = partial(open_host, games, event=description, telemetry=self._telemetry, unix_socket=True)
        async with sampling() as sampler, opened(guests=guests, on_loop_of=self._on_loop_of) as host:
            entrant_bots = EntrantBots(
                self._present,
                host=host,
                sandboxes=Sandboxes(
                    self._present, self._isolation, hidden=self._hidden, socket=Path(host.address.removeprefix(UNIX))
                ),
                sampler=sampler,
                logs=self._logs,
                warn=self._listener.warned,
                telemetry=self._telemetry,
                remote=self._remote,
                unbuilt=self._unbuilt,
            )
            if host.guests_at:
                self._listener.noted(f"listening on {host.guests_at} for bots of remote entrants")
            for suspension in self._committing.suspended:
                entrant_bots.suspend(suspension)
            await self._check_in(entrant_bots)
            async with self._workforce_with(entrant_bots) as self._workforce:
                self._suspend()
                await self._play_rounds(self._workforce, finished)
            await self._remote.dismiss(self._event.ladder)

    async def _play_rounds(self, workforce: Workforce, finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play the matches that are due, and those that become due by their results."""
        # The closing time may have passed between two runs.
        await self._close_in_time()
        while True:
            matches = await trio.to_thread.run_sync(self._issued)
            self._listener.began(played=self._played, planned=len(self._due.matches))
            self._tell_guests(matches)
            await workforce.play_all(matches, finished)
            if self._due.complete:
                return
            await self._all_over(matches)
            self._due = await trio.to_thread.run_sync(self._due_now)
            await self._close_in_time()
            if self._due.complete:
                return

    def _tell_guests(self, matches: Iterable[PlannedMatch]) -> None:
        """Notify remote bots that these matches begin, and of the number of theirs in all."""
        over = set(self._due.matches).difference(matches)
        absent = [name for name, entrant in self._entrants.items() if not entrant.nonce]
        self._remote.begin(matches_by_entrant(self._due.matches), matches_by_entrant(over), absent=absent)

    def _issued(self) -> list[PlannedMatch]:
        """Issue the matches that came due, and return those that are still due and have no result."""
        closing = self._ledger.closing
        known = self._schedule.known[: closing.issued if closing is not None else None]
        self._store.issue([IssuedMatch(planned, self._id_of(planned)) for planned in known])
        done = {played.planned for played in self._store.state().results}
        return [planned for planned in self._due.matches if planned not in done]

    def _id_of(self, planned: PlannedMatch) -> str:
        return match_id_of(planned, secret=secret_of(planned, self._ledger, kept=self._secret))

    def _due_now(self) -> Plan:
        return due_matches(self._settings, self._ledger, self._store.state().results, schedule=self._schedule)

    async def _close_in_time(self) -> None:
        """Close the event after the round that ends past ``until``, the closing time in the event file.

        At least one round is played.
        """
        until = self._settings.event.until
        if until is None or self._due.complete or datetime.now(tz=UTC) < until:
            return
        issued = {match.planned for match in await trio.to_thread.run_sync(self._store.matches)}
        if not 0 < len(issued.intersection(self._due.matches)) == self._played:
            return
        await trio.to_thread.run_sync(self._store.close_event, ClosingEntry(issued=len(issued)))
        self._ledger = read_ledger((await trio.to_thread.run_sync(self._store.state)).lines)
        self._committing.advance(self._ledger.head)
        self._due = await trio.to_thread.run_sync(self._due_now)

    async def _all_over(self, matches: Iterable[PlannedMatch]) -> None:
        """Wait until these matches have results, or will never have one."""
        for planned in matches:
            while not self._committing.is_over(self._id_of(planned), planned.entrants):
                await self._more_played.wait()

    def _workforce_with(self, entrant_bots: EntrantBots) -> AbstractAsyncContextManager[Workforce]:
        """Return the workforce, now that check-in is over."""
        context = self._context()
        own = open_own_server(context, entrant_bots=entrant_bots, telemetry=self._telemetry)
        if self._opening is None:
            return own
        if self._settings.remote_entrants:
            return open_both(self._settings, at_home=own, elsewhere=self._opening(context))
        entrant_bots.retire()
        return self._opening(context)

    def _context(self) -> RunContext:
        return RunContext(
            settings=as_played(self._present, self._ledger),
            folder=self._event.folder,
            hidden=self._hidden,
            description=description_of(self._ledger),
            journal=self._journal,
            terms=self._terms,
            begin_anew=self._begin_anew,
            head=lambda: self._committing.head,
            suspended=lambda: self._committing.suspended,
            warn=self._listener.warned,
            unbuilt=self._unbuilt,
        )

    async def _check_in(self, entrant_bots: EntrantBots) -> None:
        """Check the entrants in, and store the nonces of those that have none from an earlier run.

        An absentee, in an event that goes on without it, never gets a nonce: its deals may not change later.
        """
        gone = self._settings.withdrawn | self._ledger.gone
        stored = [one for one in await trio.to_thread.run_sync(self._store.entrants) if one.name not in gone]
        new = [one.name for one in stored if one.nonce is None]
        # An earlier absentee is not awaited, but may still connect.
        awaited = [one.name for one in stored if one.nonce != b""]
        bots = await entrant_bots.check_in(awaited=awaited, new=new)
        check_games(bots, self._present)
        brought = brought_by(new, bots, settings=self._settings, ledger=self._ledger)
        # The schedule of earlier parts depends on the processes that an entrant first checked in with.
        first = {one.name for one in brought if one.nonce} - {one.name for one in self._ledger.checked_in}
        fewer = self._remote.fewer_processes(first)
        await trio.to_thread.run_sync(partial(self._store.check_in, brought, fewer=fewer))
        state = await trio.to_thread.run_sync(self._store.state)
        self._entrants = {entrant.name: entrant for entrant in state.entrants}
        self._ledger = read_ledger(state.lines)
        await self._builds.note(self._ledger.came)
        entrant_bots.play(as_played(self._present, self._ledger))
        self._schedule = await trio.to_thread.run_sync(schedule_of, self._settings, self._ledger)
        self._due = await trio.to_thread.run_sync(self._due_now)
        self._committing.advance(self._ledger.head)
        # Publish the nonces before the first match, and before the value of the beacon is known.
        await self._event.publish()
        due_beacon(self._settings, self._ledger, None)

    def _terms(self, planned: PlannedMatch) -> MatchTerms:
        return match_terms(
            planned,
            settings=self._settings,
            secret=self._secret,
            entrants=self._entrants,
            mixed_in=self._ledger.mixed_in[-1],
            attempt=self._attempts.of(self._id_of(planned)),
        )

    async def _begin_anew(self, match_id: str, failure: Failure) -> None:
        self._committing.advance(await trio.to_thread.run_sync(self._attempts.begin_anew, match_id, failure))

    async def _committed(self, number: int) -> None:
        """Count newly committed results, and let suspensions and publication follow."""
        self._telemetry.committed()
        self._suspend()
        self._played += number
        self._more_played.set()
        self._more_played = trio.Event()
        self._listener.played(number)
        self._publisher.more()

    def _suspend(self) -> None:
        """Suspend the entrants that have forfeited too many matches, by the committed results."""
        if self._workforce is not None:
            for suspension in self._committing.suspended:
                self._workforce.suspend(suspension)
