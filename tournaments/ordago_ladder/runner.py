"""Runs an event: from its settings to a finished ladder, through any number of kills.

What is played next is always derived from the schedule and the committed results. A result counts when its transaction
is committed; a match that was on its way when the runner was killed goes on where it was, by the journal: its bots are
started anew and asked what was not decided yet. A match in which the server itself failed is void and played again with
other deals; see ``attempts``. Who forfeits too many matches is suspended: his matches are played by stand-ins.
"""

import math
import secrets
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.play import UntoldMatch, play_untold, tell_void
from ordago.arena.processes.isolation.confinement import Isolation
from ordago.arena.processes.isolation.sampler import sampling
from ordago.arena.processes.supervisor import OutOfFilesError
from ordago.arena.upkeep import keep_up
from ordago.chance import SECRET_BYTES
from ordago.edge import open_host
from ordago.edge.sockets import UNIX
from ordago.journal import Journal, JournalError
from ordago.match import MatchTerms
from ordago.record.head import Head
from ordago.record.ledger import read_ledger
from ordago.store import Entrant, EventState, IssuedMatch, PlannedMatch, PlayedMatch, Store, played_match
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.archive import ladder_of, publish_event
from ordago_ladder.attempts import Attempts, VoidMatchError
from ordago_ladder.beacon import due_beacon
from ordago_ladder.cells import Cells, exposures, isolation_of
from ordago_ladder.description import description_of
from ordago_ladder.entrant_bots import EntrantBots, bots_that_miss_games
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder, Standings
from ordago_ladder.remote import Entrance, RemoteEntrants
from ordago_ladder.schedule import plan
from ordago_ladder.settings import Settings, identity_of
from ordago_ladder.store_check import checked_state, suspensions_of
from ordago_ladder.terms import begin_entry, match_id_of, match_terms

_LARGEST_COMMIT: Final = 64
"""So many records in one transaction are some megabytes at most, and safe within a fraction of a second."""
_STANDINGS_SECONDS: Final = 2.0
"""A person who watches sees no more, and a ladder of thousands of matches takes a good part of a second."""


class Watcher(Protocol):
    """Whoever watches a run."""

    def began(self, *, played: int, planned: int) -> None:
        """Matches are played now; some were played in an earlier run."""

    def played(self, number: int) -> None:
        """So many more results were committed."""

    def standings(self, ladder: Ladder) -> None:
        """The ladder changed."""

    def checking_in(self, here: Sequence[str], missing: Sequence[str]) -> None:
        """These remote entrants have checked in, and it is waited for those."""

    def noted(self, sentence: str) -> None:
        """Something holds for the run that the organiser may want to know."""

    def warned(self, sentence: str) -> None:
        """Something happened that the organiser should know."""


class StoppedError(Exception):
    """The organiser stopped the run. Nothing that was played is lost."""

    def __init__(self, *, played: int, planned: int) -> None:
        """Remember how far the event has come."""
        super().__init__(f"stopped after {played} of {planned} matches; run the same command again to go on")


class EntrantError(Exception):
    """An entrant cannot take part. The organiser erred, or the bot's author."""


async def run_event(
    settings: Settings,
    text: str,
    folder: EventFolder,
    *,
    watcher: Watcher,
    telemetry: Telemetry | None = None,
    hidden: Sequence[Path] = (),
    beacon: bytes | None = None,
    entrance: Entrance | None = None,
) -> Ladder:
    """Run an event, or go on with it, to its end; return its ladder, which is published in the folder.

    Args:
        settings: the event.
        text: the event file.
        folder: the output folder.
        watcher: is told what happens.
        telemetry: where it is told what the server does.
        hidden: what bots may not read beside the output folder, the event file for instance.
        beacon: the value of the beacon, in the first run after the one in which everybody checked in.
        entrance: where and how remote bots come in; ``None`` where no entrant is remote.

    Raises:
        NoIsolationError: the event wants its bots isolated, and this machine cannot do so.
        FolderBusyError: another runner works in the folder.
        StoreError: the folder belongs to another event, or its database was changed since, or fails.
        BeaconError: the value of the beacon is not to be taken.
        BeaconDueError: the value of the beacon is missing: everybody is checked in.
        JournalError: the journal of running matches cannot be read or written.
        FailedToStartError: a bot did not come in when the entrants checked in.
        AbsentError: the same of a remote entrant.
        EntrantError: a bot does not play all games of the event.
        StoppedError: the organiser stopped the run.
        VoidMatchError: the server failed in a match again and again.
        OutOfFilesError: too many files are open to start a bot.
    """
    with isolation_of(settings) as isolation, folder.locked(), Store.open(folder.store, create=True) as store:
        event = _Event(settings, text, store, folder)
        state = await event.begin(beacon)
        await event.publish()
        if not state.event.finished:
            all_hidden = (folder.path, *hidden)
            with closing(Journal(folder.journal)) as journal:
                _tell_of(isolation, settings, watcher)
                run = _Run(
                    event,
                    state,
                    journal,
                    cells_at=lambda socket: Cells(settings, isolation, hidden=all_hidden, socket=socket),
                    watcher=watcher,
                    telemetry=telemetry or Telemetry(),
                    entrance=entrance,
                )
                await run.to_the_end()
            await trio.to_thread.run_sync(store.finish_event)
            await event.publish()
        return await event.ladder()


@dataclass(frozen=True, slots=True)
class _Event:
    """The event that is run, and where it is kept."""

    settings: Settings
    text: str
    """The event file."""
    store: Store
    folder: EventFolder

    async def begin(self, value: bytes | None) -> EventState:
        """Begin it, or go on with it, with the value of its beacon, if that is due. Return how far it has come."""
        secret = self.settings.event.secret or secrets.token_bytes(SECRET_BYTES)
        begin = begin_entry(self.settings, secret=secret)
        self.store.begin_event(begin, settings=self.text, identity=identity_of(self.settings), secret=secret)
        state, ledger = await trio.to_thread.run_sync(checked_state, self.settings, self.store, self.folder)
        due = due_beacon(self.settings, ledger, value)
        if due is None:
            return state
        self.store.enter_beacon(due)
        return self.store.state()

    async def publish(self) -> None:
        await trio.to_thread.run_sync(publish_event, self.settings, self.text, self.store, self.folder)

    async def ladder(self) -> Ladder:
        return await trio.to_thread.run_sync(lambda: ladder_of(self.settings, self.store.state()))


def _tell_of(isolation: Isolation | None, settings: Settings, watcher: Watcher) -> None:
    if isolation is not None:
        watcher.noted(isolation.sentence)
    for sentence in exposures(settings, isolation):
        watcher.noted(sentence)


class _Run:
    """One run of an event."""

    def __init__(
        self,
        event: _Event,
        state: EventState,
        journal: Journal,
        *,
        cells_at: Callable[[Path], Cells],
        watcher: Watcher,
        telemetry: Telemetry,
        entrance: Entrance | None,
    ) -> None:
        self._event = event
        self._entrance = entrance
        self._remote = RemoteEntrants(event.settings, watcher=watcher)
        self._settings = event.settings
        self._store = event.store
        self._logs = event.folder.logs
        self._secret = state.event.secret
        self._ledger = read_ledger(state.lines)
        self._head = self._ledger.head
        self._journal = journal
        self._cells_at = cells_at
        self._watcher = watcher
        self._telemetry = telemetry
        self._plan = plan(event.settings)
        done = {played.match.match_id for played in state.results}
        self._due = [planned for planned in self._plan if match_id_of(planned, secret=self._secret) not in done]
        self._played = len(done)
        self._attempts = Attempts(event.store, logs=self._logs, warn=watcher.warned)
        self._entrants: dict[str, Entrant] = {}
        self._stopped = False
        self._failure: Exception | None = None
        self._entrant_bots: EntrantBots | None = None
        self._suspensions = suspensions_of(event.settings, state, self._ledger)

    async def to_the_end(self) -> None:
        """Play what is due. If it is stopped, what was played until then is committed."""
        finished, to_commit = trio.open_memory_channel[UntoldMatch](self._settings.event.parallel)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._commit_all, to_commit)
            async with finished:
                await self._play_until_stopped(finished)
        if self._failure is not None:
            # Where the disk is full nothing can be published either: the failure says it.
            with suppress(OSError):
                await self._event.publish()
            raise self._failure
        if self._stopped:
            await self._event.publish()
            raise StoppedError(played=self._played, planned=len(self._plan))

    async def _play_until_stopped(self, finished: trio.MemorySendChannel[UntoldMatch]) -> None:
        try:
            async with trio.open_nursery() as playing:
                playing.start_soon(self._watch_for_stop, playing.cancel_scope)
                playing.start_soon(keep_up, self._journal, self._telemetry)
                await self._play(finished)
                playing.cancel_scope.cancel()
        except* (VoidMatchError, JournalError, OutOfFilesError) as group:
            # It is raised again when what was played is committed.
            self._failure = group.exceptions[0]
            while isinstance(self._failure, ExceptionGroup):
                self._failure = self._failure.exceptions[0]

    async def _watch_for_stop(self, playing: trio.CancelScope) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                self._stopped = True
                playing.cancel()

    async def _play(self, finished: trio.MemorySendChannel[UntoldMatch]) -> None:
        games = [game.name for game in self._settings.games]
        description = description_of(self._ledger)
        guests = self._remote.guests(self._entrance)
        opened = open_host(games, event=description, telemetry=self._telemetry, unix_socket=True, guests=guests)
        async with sampling() as sampler, opened as host:
            entrant_bots = EntrantBots(
                self._settings,
                host=host,
                cells=self._cells_at(Path(host.address.removeprefix(UNIX))),
                sampler=sampler,
                logs=self._logs,
                warn=self._watcher.warned,
                telemetry=self._telemetry,
                remote=self._remote,
            )
            if host.guests_at:
                self._watcher.noted(f"listening on {host.guests_at} for bots of remote entrants")
            self._entrant_bots = entrant_bots
            self._suspend()
            await self._check_in(entrant_bots)
            issued = [IssuedMatch(planned, match_id_of(planned, secret=self._secret)) for planned in self._due]
            await trio.to_thread.run_sync(self._store.issue, issued)
            self._watcher.began(played=self._played, planned=len(self._plan))
            over = set(self._plan).difference(self._due)
            absent = [name for name, entrant in self._entrants.items() if not entrant.nonce]
            self._remote.begin(_matches_of(self._plan), _matches_of(over), absent=absent)
            await self._play_all(entrant_bots, finished)
            entrant_bots.retire()
            await self._remote.dismiss(self._standings)

    async def _check_in(self, entrant_bots: EntrantBots) -> None:
        """Let every entrant come in and keep what he brought; what he brought to an earlier run stands.

        Whoever does not come, in an event that goes on without him, has brought nothing, for good: his matches have
        deals all the same, and they are not to change when he comes later.
        """
        known = self._store.entrants()
        new = [one.name for one in known if one.nonce is None]
        # Whoever was absent before is not waited for, and may come all the same.
        awaited = [*new, *(one.name for one in known if one.nonce)]
        bots = await entrant_bots.check_in(awaited=awaited, new=new)
        missing = bots_that_miss_games(bots, [game.name for game in self._settings.games])
        if missing:
            raise EntrantError("; ".join(missing))
        self._store.check_in(_brought(one.name, bots.get(one.name)) for one in known if one.nonce is None)
        state = self._store.state()
        self._entrants = {entrant.name: entrant for entrant in state.entrants}
        self._ledger = read_ledger(state.lines)
        self._advance(self._ledger.head)
        # The nonces can be read before the first match, or before the value of the beacon is known.
        await self._event.publish()
        due_beacon(self._settings, self._ledger, None)

    async def _standings(self) -> Standings:
        return (await self._event.ladder()).overall

    def _advance(self, head: Head) -> None:
        """Note how far the ledger has come. What is told by two threads may come in another order."""
        self._head = max(self._head, head)

    async def _play_all(self, entrant_bots: EntrantBots, finished: trio.MemorySendChannel[UntoldMatch]) -> None:
        room = trio.Semaphore(self._settings.event.parallel)
        async with trio.open_nursery() as matches:
            for planned in self._due:
                await room.acquire()
                matches.start_soon(self._play_one, planned, entrant_bots, finished, room)

    async def _play_one(
        self,
        planned: PlannedMatch,
        entrant_bots: EntrantBots,
        finished: trio.MemorySendChannel[UntoldMatch],
        room: trio.Semaphore,
    ) -> None:
        try:
            await finished.send(await self._until_it_counts(planned, entrant_bots))
        finally:
            room.release()

    async def _until_it_counts(self, planned: PlannedMatch, entrant_bots: EntrantBots) -> UntoldMatch:
        """Play a match, and begin it anew when it is void. Nobody is told of either before the store knows it.

        Raises:
            VoidMatchError: it is void again and again.
        """
        for _ in range(1 + self._settings.event.attempts):
            seats = await entrant_bots.take_seats(planned)
            terms = self._terms(planned)
            page = self._journal.page_for(terms)
            try:
                with self._telemetry.match(terms, goes_on_later=True):
                    return await play_untold(terms, seats, past=page.past, choice_log=page, head=self._head)
            except Exception as failure:  # noqa: BLE001 - whatever it was, it was no bot's fault
                if isinstance(failure.__cause__, JournalError):
                    # A full disk brings no new deals: the match goes on where it is when there is room again.
                    raise failure.__cause__ from None
                self._advance(await trio.to_thread.run_sync(self._attempts.begin_anew, terms.match_id, failure))
                tell_void(seats, "the server failed in a match", self._head)
        times = 1 + self._settings.event.attempts
        raise VoidMatchError(
            f"the server failed {times} times in match {planned.row + 1} of the schedule, {planned.game} with "
            f"{', '.join(dict.fromkeys(planned.entrants))}; what went wrong is in {self._logs}"
        )

    def _terms(self, planned: PlannedMatch) -> MatchTerms:
        return match_terms(
            planned,
            settings=self._settings,
            secret=self._secret,
            entrants=self._entrants,
            beacon=bytes.fromhex(self._ledger.beacon.value) if self._ledger.beacon else b"",
            attempt=self._attempts.of(match_id_of(planned, secret=self._secret)),
        )

    async def _commit_all(self, to_commit: trio.MemoryReceiveChannel[UntoldMatch]) -> None:
        """Commit results as they come, as many in one transaction as there are, and tell the bots of them."""
        told = -math.inf
        async for first in to_commit:
            matches = [first, *_at_hand(to_commit)]
            played, head = await trio.to_thread.run_sync(self._commit, [match.record for match in matches])
            self._advance(head)
            for match, committed in zip(matches, played, strict=True):
                self._journal.end_match(committed.match_id)
                match.tell(committed.record_digest, self._head)
            self._telemetry.committed()
            self._suspend()
            self._played += len(matches)
            self._watcher.played(len(matches))
            if trio.current_time() - told > _STANDINGS_SECONDS:
                told = trio.current_time()
                self._watcher.standings(await self._event.ladder())

    def _commit(self, records: Sequence[v1.MatchRecord]) -> tuple[list[PlayedMatch], Head]:
        played = [self._with_suspensions(record) for record in records]
        return played, self._store.commit_results(played)

    def _with_suspensions(self, record: v1.MatchRecord) -> PlayedMatch:
        match = played_match(record)
        new = self._suspensions.count([seat.name for seat in record.seats], match.result)
        return replace(match, suspensions=tuple(suspension.entry for suspension in new))

    def _suspend(self) -> None:
        """Suspend those who have forfeited too many matches, by the results that are committed."""
        if self._entrant_bots is not None:
            for suspension in self._suspensions.suspended:
                self._entrant_bots.suspend(suspension)


def _matches_of(matches: Iterable[PlannedMatch]) -> Counter[str]:
    """Return how many matches each entrant has among some."""
    return Counter(entrant for planned in matches for entrant in set(planned.entrants))


def _brought(name: str, bot: Bot | None) -> Entrant:
    """Return what an entrant has brought by a bot, or without one."""
    if bot is None:
        return Entrant(name, b"")
    return Entrant(name, bot.identity.nonce, bot.identity.version, bot.identity.build)


def _at_hand(channel: trio.MemoryReceiveChannel[UntoldMatch]) -> Iterator[UntoldMatch]:
    """Yield what a channel holds now."""
    try:
        for _ in range(_LARGEST_COMMIT - 1):
            yield channel.receive_nowait()
    except (trio.WouldBlock, trio.EndOfChannel):
        return
