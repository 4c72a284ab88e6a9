"""The clock that bots are charged by."""

from collections.abc import Callable

import trio


def _nothing() -> None:
    """Do nothing: whoever watches the server, or carries frames, has not come yet, or there is nobody."""


class RefereeClock:
    """The time of trio's clock without what the server itself lost, so that no bot is ever charged for it.

    A server loses time when its process or its machine stands still. Whoever sees that adds to ``lost``; the clock then
    stands as far behind trio's, and all deadlines move with it.
    """

    def __init__(self) -> None:
        """Begin with nothing lost."""
        self._time: Callable[[], float] | None = None
        """Trio's clock, once it was looked at: by way of ``trio.current_time`` each look costs three calls."""
        self._stands_at: float | None = None
        """What ``now`` returns while it stands; ``None`` while it goes."""
        self.lost = 0.0
        """The time that the server lost so far, in seconds."""
        self.look: Callable[[], None] = _nothing
        """Lets whoever watches the server see at once whether it has just lost time."""
        self.catch_up: Callable[[], None] = _nothing
        """Lets whoever carries frames hand over at once those that have arrived. Called in trio's thread."""

    def now(self) -> float:
        """Return the time in seconds: while it stands, when it was stopped. Called in trio's thread."""
        if self._stands_at is not None:
            return self._stands_at
        if self._time is None:
            self._time = trio.lowlevel.current_clock().current_time
        return self._time() - self.lost

    def stand(self) -> None:
        """Let ``now`` stand still until ``go_on``: for a portion of a frame, which is taken in within a millisecond.

        One look is enough for all of it, since what is sent meanwhile is not on its way before its end; when it left is
        corrected when it is written. A look for each decision would be all that is left of Python in its way, where
        Ordago is compiled.
        """
        self._stands_at = self.now()

    def go_on(self) -> None:
        """Let ``now`` go on."""
        self._stands_at = None

    def in_trio_time(self, at: float) -> float:
        """Return when, by trio's clock, a time of this one will have come, if nothing more is lost."""
        return at + self.lost
