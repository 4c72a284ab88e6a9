"""A fair queue for a shared resource: round-robin over addresses, so that nobody waits behind a flood."""

from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

import trio

from ordago.arena.allowance import Allowance
from ordago.scene import english
from ordago_web.access.bounds import TooManyError

FOR_ALL: Final = ""
"""The asker of calls that every page waits for. They go first whenever there is room."""
ASKER: Final = ContextVar("ASKER", default=FOR_ALL)
"""The address whose request is being answered."""
_MOST_WAITING: Final = 64
"""The limit of waiting turns of one address. A page takes about five; at 15 a second the last of 64 waits for 4 s."""


class Turns:
    """Gives turns to the waiting addresses, round-robin. For use in trio's thread only."""

    def __init__(
        self, *, at_once: int, pace: Allowance | None = None, clock: Callable[[], float] = trio.current_time
    ) -> None:
        """Begin with an empty queue.

        Args:
            at_once: the number of concurrent turns.
            pace: the rate limit of calls; ``None`` for no limit.
            clock: the time in seconds.
        """
        self._free = at_once
        self._pace = pace
        self._clock = clock
        self._lines: OrderedDict[str, deque[trio.Event]] = OrderedDict()
        """The waiting turns of each address. The first address is next."""

    @asynccontextmanager
    async def turn(self, asker: str | None = None) -> AsyncIterator[None]:
        """Wait for a turn, and hold it inside the context.

        Args:
            asker: the address that waits; ``None`` for that of the current request.

        Raises:
            TooManyError: this address has too many waiting turns.
        """
        await self._wait(ASKER.get() if asker is None else asker)
        try:
            yield
        finally:
            self._give_back()

    async def keep_pace(self) -> None:
        """Wait until the rate limit allows another call."""
        while self._pace is not None:
            seconds = self._pace.take(at=self._clock())
            if not seconds:
                return
            await trio.sleep(seconds)

    async def _wait(self, asker: str) -> None:
        line = self._lines.setdefault(asker, deque())
        if len(line) >= _MOST_WAITING and asker != FOR_ALL:
            raise TooManyError(english("Too many requests from your address are waiting: try again in a few seconds."))
        turn = trio.Event()
        line.append(turn)
        self._call()
        try:
            await turn.wait()
        except trio.Cancelled:
            self._leave(asker, turn)
            raise

    def _leave(self, asker: str, turn: trio.Event) -> None:
        if turn.is_set():
            self._give_back()
            return
        line = self._lines[asker]
        line.remove(turn)
        if not line:
            del self._lines[asker]

    def _give_back(self) -> None:
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Give turns to waiting addresses while there is room."""
        while self._free and self._lines:
            asker = FOR_ALL if FOR_ALL in self._lines else next(iter(self._lines))
            line = self._lines.pop(asker)
            line.popleft().set()
            if line:
                self._lines[asker] = line
            self._free -= 1
