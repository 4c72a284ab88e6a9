"""Turns: who may use what all visitors share, one address after the other, so that nobody waits behind a flood."""

from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

import trio

from ordago.arena.allowance import Allowance
from ordago_web.access.bounds import TooManyError

FOR_ALL: Final = ""
"""Asks what every page waits for. It is first whenever there is room."""
ASKER: Final = ContextVar("ASKER", default=FOR_ALL)
"""The address whose request is being answered."""
_MOST_WAITING: Final = 64
"""How many turns of one address may wait: a page takes some five. At 15 a second the last of them waits for 4 s."""


class Turns:
    """Gives turns to the addresses that wait, in a circle. It belongs to trio's thread."""

    def __init__(
        self, *, at_once: int, pace: Allowance | None = None, clock: Callable[[], float] = trio.current_time
    ) -> None:
        """Begin with nobody waiting.

        Args:
            at_once: how many turns are taken at the same time.
            pace: how many calls may be made in which time; ``None`` for any number.
            clock: the time in seconds.
        """
        self._free = at_once
        self._pace = pace
        self._clock = clock
        self._lines: OrderedDict[str, deque[trio.Event]] = OrderedDict()
        """The turns that wait, of each address; the address comes first that has waited for longest."""

    @asynccontextmanager
    async def turn(self, asker: str | None = None) -> AsyncIterator[None]:
        """Wait for a turn, and have it.

        Args:
            asker: the address that it is for; ``None`` for the one whose request is being answered.

        Raises:
            TooManyError: too many of this address wait already.
        """
        await self._wait(ASKER.get() if asker is None else asker)
        try:
            yield
        finally:
            self._give_back()

    async def keep_pace(self) -> None:
        """Wait until another call may be made."""
        while self._pace is not None:
            seconds = self._pace.take(at=self._clock())
            if not seconds:
                return
            await trio.sleep(seconds)

    async def _wait(self, asker: str) -> None:
        line = self._lines.setdefault(asker, deque())
        if len(line) >= _MOST_WAITING and asker != FOR_ALL:
            raise TooManyError("too many requests from your address are waiting: try again soon.")
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
        """Give turns to those who wait, as far as there is room."""
        while self._free and self._lines:
            asker = FOR_ALL if FOR_ALL in self._lines else next(iter(self._lines))
            line = self._lines.pop(asker)
            line.popleft().set()
            if line:
                self._lines[asker] = line
            self._free -= 1
