"""Local workers of a run: processes that its runner starts, and restarts when they die."""

import math
import os
import socket
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trio

from ordago.arena.processes.launcher import BotProcess, Launch, launched
from ordago.store import PlannedMatch
from ordago_ladder.helpers import command_of
from ordago_ladder.run.attempts import journal_of_worker, take_over_journal, void_again
from ordago_ladder.run.commit_queue import Uncommitted
from ordago_ladder.run.playing import Opening, RunContext, Workforce, WorkforceError
from ordago_ladder.schedule.conduct import Suspension
from ordago_ladder.schedule.tables import sets_of
from ordago_ladder.workers.messages import (
    WORKER_MODULE,
    Broken,
    Channel,
    ChannelClosedError,
    Failed,
    Issued,
    Played,
    ReportedMatch,
    Retire,
    Setup,
    Suspend,
    ToRunner,
    ToWorker,
    Voided,
    Warned,
    setup_of,
    task_of,
)

_MOST_DEATHS: Final = 5
"""The most workers that may die in a row without a finished match. More deaths have a cause that a restart keeps."""


class _Hand:
    """The runner's view of one worker."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.matches: dict[str, Issued] = {}
        """The matches that were issued to it and are not finished, by match id."""
        self.outbox, self.to_send = trio.open_memory_channel[ToWorker](math.inf)

    def say(self, message: ToWorker) -> None:
        """Queue a message. It is lost if the worker ends first."""
        self.outbox.send_nowait(message)


class WorkerPool:
    """The local workers of a run: a ``Workforce``."""

    def __init__(self, context: RunContext, *, workers: int) -> None:
        """Prepare a number of workers; none is started yet."""
        self._context = context
        self._workers = workers
        self._parallel = -(-context.settings.event.parallel // workers)
        self._waiting: deque[list[PlannedMatch]] = deque()
        self._open = 0
        """The number of matches that are not finished yet."""
        self._changed = trio.Condition()
        self._hands: dict[int, _Hand] = {}
        self._finished: trio.MemorySendChannel[Uncommitted] | None = None
        self._retired = False
        self._deaths = 0
        """The number of workers that died since the last finished match."""
        self._voids = Counter[str]()
        self._warned: set[str] = set()
        self._suspended: set[Suspension] = set()

    async def play_all(self, due: Iterable[PlannedMatch], finished: trio.MemorySendChannel[Uncommitted]) -> None:
        """Play the matches that are due. See ``Workforce``."""
        self._finished = finished
        sets = sets_of(due)
        async with self._changed:
            self._waiting += sets
            self._open += sum(map(len, sets))
            self._changed.notify_all()
            while self._open:
                await self._changed.wait()

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches."""
        if suspension in self._suspended:
            return
        self._suspended.add(suspension)
        for hand in self._hands.values():
            hand.say(Suspend(suspension))

    def retire(self) -> None:
        """Let each worker end once its bots know the outcome of everything they played."""
        self._retired = True
        for hand in self._hands.values():
            hand.say(Retire())

    async def keep(self, number: int) -> None:
        """Run a worker, and restart its process when it dies, until the pool retires."""
        while not self._retired:
            hand = self._hands[number] = _Hand(number)
            try:
                await self._work(hand)
            except* ChannelClosedError:
                await self._take_over(hand)

    async def _work(self, hand: _Hand) -> None:
        ours, theirs = socket.socketpair()
        # A killed worker cannot clean up: its temporary files go with this folder.
        scratch = TemporaryDirectory(prefix="ordago-", ignore_cleanup_errors=True)
        with scratch as folder:
            await self._work_in(folder, hand, ours, theirs)

    async def _work_in(self, folder: str, hand: _Hand, ours: socket.socket, theirs: socket.socket) -> None:
        async with self._started(folder, hand, theirs):
            theirs.close()
            channel = Channel(ours)
            try:
                async with trio.open_nursery() as nursery:
                    await channel.send(self._setup(hand))
                    nursery.start_soon(self._send, channel, hand)
                    nursery.start_soon(self._feed, hand)
                    while True:
                        await self._take_in(hand, await channel.receive())
            finally:
                await channel.aclose()

    def _started(self, folder: str, hand: _Hand, end: socket.socket) -> AbstractAsyncContextManager[BotProcess]:
        """Start the process of a worker. It and all its children die with the runner."""
        command = command_of(WORKER_MODULE, end.fileno())
        environment = {**os.environ, "TMPDIR": folder}
        return launched(Launch(command, environment, self._log(hand), descriptors=(end.fileno(),)))

    def _logs(self, hand: _Hand) -> Path:
        return self._context.folder.logs / f"worker-{hand.number}"

    def _log(self, hand: _Hand) -> Path:
        return self._logs(hand) / "worker.log"

    def _setup(self, hand: _Hand) -> Setup:
        return setup_of(
            self._context,
            journal=journal_of_worker(self._context.folder, hand.number),
            logs=self._logs(hand),
            parallel=self._parallel,
            processor=hand.number,
        )

    async def _send(self, channel: Channel, hand: _Hand) -> None:
        # If the worker has ended, the reader notices, after it has taken in the worker's last messages.
        with suppress(ChannelClosedError):
            async for message in hand.to_send:
                await channel.send(message)

    async def _feed(self, hand: _Hand) -> None:
        """Issue sets to a worker, one more than it can play at once, so that it never waits for the next."""
        while True:
            async with self._changed:
                while not self._waiting or len(hand.matches) > self._parallel:
                    await self._changed.wait()
                matches = self._waiting.popleft()
                still_due = [planned for planned in matches if not self._context.is_dropped(planned)]
                self._open -= len(matches) - len(still_due)
                self._changed.notify_all()
                task = task_of(self._context, still_due)
                hand.matches |= {match.match_id: match for match in task.matches}
            hand.say(task)

    async def _take_in(self, hand: _Hand, message: ToRunner) -> None:
        match message:
            case Played():
                await self._played(hand, message)
            case Failed():
                await self._begin_anew(hand, message)
            case Warned():
                if message.sentence not in self._warned:
                    self._warned.add(message.sentence)
                    self._context.warn(message.sentence)
            case Broken():
                raise message.error

    async def _played(self, hand: _Hand, message: Played) -> None:
        assert self._finished is not None
        entrants = hand.matches.pop(message.match_id).planned.entrants
        self._deaths = 0
        await self._finished.send(
            ReportedMatch(message.match_id, entrants, message.played, self._context.journal, hand.say)
        )
        async with self._changed:
            self._open -= 1
            self._changed.notify_all()

    async def _begin_anew(self, hand: _Hand, message: Failed) -> None:
        planned = hand.matches.pop(message.match_id).planned
        await self._context.begin_anew(message.match_id, message.failure)
        hand.say(Voided(message.match_id, self._context.head()))
        self._voids[message.match_id] += 1
        if self._voids[message.match_id] > self._context.settings.event.attempts:
            raise void_again(planned, times=self._voids[message.match_id], logs=self._context.folder.logs)
        await self._issue_again([planned])

    async def _take_over(self, hand: _Hand) -> None:
        """Give the matches of a dead worker to others, to be continued from its journal."""
        journal = journal_of_worker(self._context.folder, hand.number)
        if journal.exists():
            take_over_journal(journal, self._context.journal)
        if self._retired:
            return
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise WorkforceError(f"{self._deaths} workers ended, one after the other; see {self._log(hand)}")
        await self._issue_again(match.planned for match in hand.matches.values())

    async def _issue_again(self, matches: Iterable[PlannedMatch]) -> None:
        async with self._changed:
            self._waiting.extendleft(sets_of(matches))
            self._changed.notify_all()


def pool_of(workers: int) -> Opening:
    """Return an opener for a pool of some number of workers."""

    @asynccontextmanager
    async def opened(context: RunContext) -> AsyncIterator[Workforce]:
        pool = WorkerPool(context, workers=workers)
        async with trio.open_nursery() as nursery:
            for number in range(1, workers + 1):
                nursery.start_soon(pool.keep, number)
            yield pool
            pool.retire()

    return opened
