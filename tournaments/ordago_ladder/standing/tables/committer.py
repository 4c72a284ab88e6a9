"""Writer of match results to the store, which keeps trying while the database is away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

import trio

from ordago.arena.play import UntoldMatch
from ordago.record.head import Head
from ordago.store import StoreBusyError, StoreError, StoreFailedError
from ordago.telemetry.telemetry import LONG_SECONDS, Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_ladder.run.commit_queue import at_hand
from ordago_ladder.standing.tables.repository import LadderRepository

T = TypeVar("T")

_MOST_WAITING: Final = 4096
_PAUSE_SECONDS: Final = 1.0
_PING_SECONDS: Final = 2.0
"""The time between two checks that the database answers, even if nothing is to be written."""
_MOST_THREADS: Final = 8
"""The most threads that wait for the database: it writes one transaction at a time, and other work needs threads."""
_UNHEARD_OF: Final = "the server could not find out if the match had begun"


@dataclass(frozen=True, slots=True)
class _Ended:
    """A finished match that waits for its commit."""

    match: UntoldMatch
    notified: trio.Event = field(default_factory=trio.Event)
    """Set once the match is committed and its bots are notified."""


class Committer:
    """Queue of finished matches. They are committed in batches, each in one transaction, before bots are notified."""

    def __init__(self, repository: LadderRepository, *, telemetry: Telemetry, news: Callable[[], None]) -> None:
        """Prepare to write.

        Args:
            repository: writes to the store.
            telemetry: is notified when the store fails, and when it works again.
            news: is called after each successful write.
        """
        self._repository = repository
        self._telemetry = telemetry
        self._news = news
        self._threads = trio.CapacityLimiter(_MOST_THREADS)
        self._failing = 0
        """The number of writes that have failed and are being retried."""
        self._ended, self._to_commit = trio.open_memory_channel[_Ended](_MOST_WAITING)

    async def run(self) -> None:
        """Commit queued matches until cancelled."""
        async for first in self._to_commit:
            batch = [first, *at_hand(self._to_commit)]
            if not await self._commit(batch):
                # The store refuses the result of some match in the batch. Separate commits save the others.
                for ended in batch:
                    await self._commit([ended])

    async def commit(self, match: UntoldMatch) -> None:
        """Commit a match; return once its bots are notified."""
        ended = _Ended(match)
        await self._ended.send(ended)
        await ended.notified.wait()

    async def void(self, match_id: str, reason: str) -> Head:
        """Enter a match as void, and return the head of its ledger."""
        head = await self.insist(lambda: self._repository.void(match_id, reason))
        self._news()
        return head

    async def work(self, work: Callable[[], T]) -> T:
        """Call the database in a worker thread, which is abandoned on cancellation.

        That is as safe as killing the server: a transaction is committed as a whole or not at all.
        """
        return await trio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)

    async def insist(self, write: Callable[[], T]) -> T:
        """Write in a worker thread, and repeat that while the database fails.

        Raises:
            StoreError: the write is invalid, and would fail again.
        """
        try:
            written = await self.work(write)
        except StoreFailedError as error:
            self._telemetry.begins(Trouble.STORE, str(error))
        else:
            self._works()
            return written
        self._failing += 1
        try:
            written = await self._try_again(write)
        finally:
            self._failing -= 1
        self._works()
        return written

    async def _try_again(self, write: Callable[[], T]) -> T:
        while True:
            await trio.sleep(_PAUSE_SECONDS)
            try:
                written = await self.work(write)
            except StoreFailedError as error:
                self._telemetry.begins(Trouble.STORE, str(error))
            else:
                return written

    async def watch(self) -> None:
        """Check regularly that the database answers, and report failures, until cancelled.

        Raises:
            StoreBusyError: another server has the ladder.
        """
        self._telemetry.counters.store_wait = self._repository.waited_seconds
        with self._telemetry.waits.watching(Trouble.STORE, "its database", self._repository.waited_seconds):
            while True:
                await self._ping()
                await trio.sleep(_PING_SECONDS)

    async def _ping(self) -> None:
        try:
            await self.work(partial(self._repository.ping, by_writing=self._telemetry.is_in(Trouble.STORE)))
            lost = await self.work(partial(self._repository.settle_doubts, _UNHEARD_OF))
        except StoreBusyError:
            raise
        except StoreError as error:
            self._telemetry.begins(Trouble.STORE, str(error))
            return
        if lost:
            self._news()
        self._works()

    def _works(self) -> None:
        """Report that the database works, unless another write still fails: a small one may fit on a full disk."""
        if not self._failing and self._repository.waited_seconds() < LONG_SECONDS:
            self._telemetry.is_over(Trouble.STORE)

    async def _commit(self, batch: Sequence[_Ended]) -> bool:
        """Commit a batch. Return False if it has to be split, since the store refuses the result of one match."""
        begun = trio.current_time()
        try:
            standings = await self.insist(lambda: self._repository.commit([ended.match.finished for ended in batch]))
        except StoreBusyError:
            # Another server has taken over the ladder. Matches that are not committed stay in the journal.
            raise
        except StoreError:
            if len(batch) > 1:
                return False
            self._telemetry.failed_at("committing a result")
            standings = {}
        for ended in batch:
            ended.match.tell(*standings.get(ended.match.finished.match_id, ()))
            ended.notified.set()
        self._telemetry.committed(trio.current_time() - begun)
        self._news()
        return True
