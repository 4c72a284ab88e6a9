"""What a server waits for: a database, a disk, a process beside; and that it is told where one of them does not answer.

Nothing here waits. Whoever does says so while it lasts, and a watcher looks at it from a thread of its own: what hangs
may hang in any thread, that of the matches among them.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final

from ordago.telemetry.troubles import Trouble, Troubles

LONG_SECONDS: Final = 5.0
"""What takes so long is told. A commit takes milliseconds, a fit some seconds, and its process tells that it works."""


class Waits:
    """Waits that go on now, and their length so far."""

    def __init__(self, troubles: Troubles, *, now: Callable[[], float] = time.monotonic) -> None:
        """Tell as a trouble what takes long, by a clock of seconds that only goes forward."""
        self._troubles = troubles
        self._now = now
        self._numbers = count()
        self._begun: dict[int, tuple[Trouble, str, float]] = {}
        self._others: dict[int, tuple[Trouble, str, Callable[[], float]]] = {}
        self._told: dict[Trouble, str] = {}
        """What was told of each trouble here, word by word."""
        self._answered: set[Trouble] = set()
        """Those of them of which nothing was late any more at the last look."""

    @contextmanager
    def waiting(self, trouble: Trouble, whom: str) -> Iterator[None]:
        """Say that somebody is waited for in this context: ``the disk of the records``. Any thread may."""
        number = next(self._numbers)
        self._begun[number] = trouble, whom, self._now()
        try:
            yield
        finally:
            del self._begun[number]

    @contextmanager
    def watching(self, trouble: Trouble, whom: str, waited_seconds: Callable[[], float]) -> Iterator[None]:
        """Let it be asked in this context for how many seconds somebody has been waited for."""
        number = next(self._numbers)
        self._others[number] = trouble, whom, waited_seconds
        try:
            yield
        finally:
            del self._others[number]

    def look(self) -> None:
        """Tell what has not been answered for long, and what is again. One thread looks."""
        late = self._late()
        for trouble, sentence in late.items():
            self._troubles.begins(trouble, sentence)
            self._told[trouble] = sentence
        answered = self._told.keys() - late.keys()
        # Not at once: whoever waited in vain may be about to tell why.
        for trouble in answered & self._answered:
            self._troubles.is_over(trouble, if_told=self._told.pop(trouble))
        self._answered = answered

    def _late(self) -> dict[Trouble, str]:
        now = self._now()
        begun = [(trouble, whom, now - since) for trouble, whom, since in self._begun.copy().values()]
        begun += [(trouble, whom, waited()) for trouble, whom, waited in self._others.copy().values()]
        longest = sorted(begun, key=lambda one: one[2])
        return {
            trouble: f"{whom} has not answered for {seconds:.0f} s"
            for trouble, whom, seconds in longest
            if seconds > LONG_SECONDS
        }
