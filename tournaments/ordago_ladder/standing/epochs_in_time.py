"""The epochs of a ladder in time: the next begins when it is due, and each is revealed when its last match is over."""

from typing import Final

import trio

from ordago_ladder.standing.books import Books
from ordago_ladder.standing.committer import Committer

_LOOK_SECONDS: Final = 1.0
"""An epoch is revealed so much later than it could be, at most."""


class EpochsInTime:
    """Begins epochs and reveals them, beside the play.

    How long an epoch lasts is measured by a clock that nobody sets: whoever sets that of the machine neither ends an
    epoch by it nor keeps one open. What the clock of the machine shows counts once, when the server starts.
    """

    def __init__(self, books: Books, committer: Committer, *, epoch_seconds: float) -> None:
        """Prepare to begin them.

        Args:
            books: where they are written.
            committer: writes though the database fails for now.
            epoch_seconds: how long an epoch lasts.
        """
        self._books = books
        self._committer = committer
        self._epoch_seconds = epoch_seconds
        self._news = trio.Event()
        self.newest, _ = books.newest_epoch()
        """The number of the newest epoch; any thread may look."""

    def more(self) -> None:
        """Say that a match is over."""
        self._news.set()

    async def run(self) -> None:
        """Begin and reveal epochs until it is cancelled."""
        _, lasted = await self._committer.insist(self._books.newest_epoch)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._reveal)
            due = trio.current_time() + self._epoch_seconds - lasted
            while True:
                await trio.sleep_until(due)
                self.newest = await self._committer.insist(self._books.begin_epoch)
                due = trio.current_time() + self._epoch_seconds
                self.more()

    async def _reveal(self) -> None:
        while True:
            await self._committer.insist(self._books.reveal_what_is_over)
            await trio.sleep(_LOOK_SECONDS)
            await self._news.wait()
            self._news = trio.Event()
