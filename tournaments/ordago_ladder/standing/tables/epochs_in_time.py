"""The epochs of a ladder in time: the next begins when it is due, and each is revealed when its last match is over."""

from collections.abc import Callable
from typing import Final

import trio

from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.repository import LadderRepository

_LOOK_SECONDS: Final = 1.0
"""An epoch is revealed so much later than it could be, at most."""
MOST_OPEN_BYTES: Final = MOST_LEDGER_BYTES // 2
"""The next epoch begins when a ledger is so long. What runs then fits into the rest, and whoever verifies reads it."""


class EpochsInTime:
    """Begins epochs and reveals them, beside the play.

    How long an epoch lasts is measured by a clock that nobody sets: whoever sets that of the machine neither ends an
    epoch by it nor keeps one open. What the clock of the machine shows counts once, when the server starts.
    """

    def __init__(
        self,
        repository: LadderRepository,
        committer: Committer,
        *,
        epoch_seconds: float,
        epoch_matches: int,
        told: Callable[[], None],
        most_bytes: int = MOST_OPEN_BYTES,
    ) -> None:
        """Prepare to begin them.

        Args:
            repository: where they are written.
            committer: writes though the database fails for now.
            epoch_seconds: how long an epoch lasts.
            epoch_matches: after so many matches the next one begins, if it does not before.
            told: is called when an epoch began, or was revealed.
            most_bytes: how long a ledger becomes before the next epoch begins.
        """
        self._repository = repository
        self._committer = committer
        self._epoch_seconds = epoch_seconds
        self._epoch_matches = epoch_matches
        self._told = told
        self._most_bytes = most_bytes
        self._news = trio.Event()
        self.newest, _ = repository.newest_epoch()
        """The number of the newest epoch; any thread may look."""

    def more(self) -> None:
        """Say that a match is over."""
        self._news.set()

    async def run(self) -> None:
        """Begin and reveal epochs until it is cancelled."""
        _, lasted = await self._committer.insist(self._repository.newest_epoch)
        due = trio.current_time() + self._epoch_seconds - lasted
        while True:
            if trio.current_time() >= due or await self._is_full():
                self.newest = await self._committer.insist(self._repository.begin_epoch)
                due = trio.current_time() + self._epoch_seconds
                self._told()
            if await self._committer.insist(self._repository.reveal_what_is_over):
                self._told()
            with trio.move_on_at(due):
                await trio.sleep(_LOOK_SECONDS)
                await self._news.wait()
            self._news = trio.Event()

    async def _is_full(self) -> bool:
        """Say whether the newest epoch has as many matches, or as long a ledger, as it may have."""
        size = await self._committer.insist(self._repository.newest_size)
        return size.matches >= self._epoch_matches or size.ledger_bytes >= self._most_bytes
