"""The clock that bots are charged by."""

from collections.abc import Callable

import trio


def _nothing() -> None:
    """Do nothing, until a stall detector or a transport sets its own function, if any does."""


class RefereeClock:
    """Trio's clock minus the time that the server itself lost, so that no bot is ever charged for that.

    A server loses time when its process or its machine stands still. The code that measures this adds to ``lost``; the
    clock then stands as far behind trio's, and all deadlines move with it.
    """

    def __init__(self) -> None:
        """Begin with nothing lost."""
        self._time: Callable[[], float] | None = None
        """Trio's clock after the first reading, cached since ``trio.current_time`` costs three calls each time."""
        self._stands_at: float | None = None
        """The result of ``now`` while the clock stands; ``None`` while it runs."""
        self.lost = 0.0
        """Time that the server has lost so far, in seconds."""
        self.look: Callable[[], None] = _nothing
        """Checks at once if the server has just lost time. Set by the code that measures this."""
        self.catch_up: Callable[[], None] = _nothing
        """Hands over at once the frames that have arrived. Set by the transport, called in trio's thread."""

    def now(self) -> float:
        """Return the time in seconds; while the clock stands, the time when it was stopped. For trio's thread."""
        if self._stands_at is not None:
            return self._stands_at
        if self._time is None:
            self._time = trio.lowlevel.current_clock().current_time
        return self._time() - self.lost

    def stand(self) -> None:
        """Stop the clock until ``go_on``, for a portion of a frame, which takes less than a millisecond.

        One reading is enough: messages sent meanwhile leave only afterwards, and their departure is corrected then. In
        a compiled build, reading the clock for each decision would be the only Python code left on its path.
        """
        self._stands_at = self.now()

    def go_on(self) -> None:
        """Let the clock run again."""
        self._stands_at = None

    def in_trio_time(self, at: float) -> float:
        """Convert a time of this clock to trio's clock, assuming that no more time is lost."""
        return at + self.lost
