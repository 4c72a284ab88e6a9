"""The schedule of epochs: the next begins when it is due, and each is revealed when its last match is over."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import trio

from ordago.telemetry.counters import LadderCounters
from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.repository import LadderRepository

_LOOK_SECONDS: Final = 1.0
"""The shortest time between two looks, and so the longest delay of a reveal."""
MOST_OPEN_BYTES: Final = MOST_LEDGER_BYTES // 2
"""The ledger length at which the next epoch begins. The rest of the readable length is for matches still running."""


class EpochsInTime:
    """The background task that begins and reveals epochs.

    The length of an epoch is measured by a monotonic clock: setting the machine's clock neither ends an epoch nor keeps
    one open. The machine's clock counts once: at the start of the server, for the age of the running epoch.
    """

    def __init__(
        self,
        repository: LadderRepository,
        committer: Committer,
        *,
        epoch_seconds: float,
        epoch_matches: int,
        changed: Callable[[], None],
        counters: LadderCounters,
        most_bytes: int = MOST_OPEN_BYTES,
    ) -> None:
        """Prepare to begin epochs.

        Args:
            repository: reads and writes epochs.
            committer: repeats calls while the database fails.
            epoch_seconds: the length of an epoch.
            epoch_matches: the number of matches after which the next epoch begins early.
            changed: is called when an epoch has begun or was revealed.
            counters: takes the newest epoch and when it began.
            most_bytes: the length of a ledger after which the next epoch begins early.
        """
        self._repository = repository
        self._committer = committer
        self._epoch_seconds = epoch_seconds
        self._epoch_matches = epoch_matches
        self._changed = changed
        self._counters = counters
        self._most_bytes = most_bytes
        self._news = trio.Event()
        self.newest, lasted = repository.newest_epoch()
        """The number of the newest epoch. Safe to read in any thread."""
        self._count(lasted)

    def more(self) -> None:
        """Note that a match is over, or that another server of the ladder has written."""
        self._news.set()

    async def run(self) -> None:
        """Begin and reveal epochs until cancelled."""
        _, lasted = await self._committer.insist(self._repository.newest_epoch)
        due = trio.current_time() + self._epoch_seconds - lasted
        while True:
            if trio.current_time() >= due or await self._is_full():
                await self._committer.insist(partial(self._repository.begin_epoch, after=self.newest))
            # Another server of the ladder may have begun it.
            newest, _ = await self._committer.insist(self._repository.newest_epoch)
            if newest > self.newest:
                self.newest = newest
                self._count(0.0)
                due = trio.current_time() + self._epoch_seconds
                self._changed()
            if await self._committer.insist(self._repository.reveal_what_is_over):
                self._changed()
            with trio.move_on_at(due):
                await trio.sleep(_LOOK_SECONDS)
                await self._news.wait()
            self._news = trio.Event()

    def _count(self, lasted: float) -> None:
        self._counters.epoch, self._counters.epoch_began = self.newest, time.time() - lasted

    async def _is_full(self) -> bool:
        """Return True if the newest epoch has reached its limit of matches or of ledger bytes."""
        size = await self._committer.insist(self._repository.newest_size)
        return size.matches >= self._epoch_matches or size.ledger_bytes >= self._most_bytes
