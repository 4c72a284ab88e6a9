"""The base of standing tables: bots wait, matches begin while there is room, and go on after a restart.

Subclasses choose the bots of each table, and handle the result of its match.
"""

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from typing import Final, Generic, TypeVar

import trio

from ordago.arena.bot import Bot
from ordago.arena.play import Referees
from ordago.arena.seat import BotSeat
from ordago.arena.tables.pauses import Pauses
from ordago.journal import MatchJournal, MatchPage, Outage
from ordago.journal.v1 import JournaledMatch
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

_MOST_UNKEPT: Final = 256
"""Records waiting to be stored at which no new match begins, so that they do not fill the memory. At some ten kilobytes
a record these are a few megabytes."""
_AT_A_STROKE: Final = 8
"""Tables to fill before running matches get a turn: thousands of bots may arrive at once."""
_REST_SECONDS: Final = 1.0
"""Time without new matches of a game after the server failed in one of its matches."""

Play = Callable[[], Awaitable[None]]
"""Plays one match from beginning to end."""
TableT = TypeVar("TableT")
"""The data of a table whose match may begin."""


class OpenTables(ABC, Generic[TableT]):
    """Begins matches among remote bots."""

    def __init__(
        self,
        games: Iterable[str],
        *,
        telemetry: Telemetry | None,
        journal: MatchJournal,
        pause_seconds: float,
        referees: Referees,
    ) -> None:
        """Begin without bots.

        Args:
            games: the games on offer, by their short names.
            telemetry: receives what happens; ``None`` to drop that.
            journal: holds the matches, so that they go on after a restart.
            pause_seconds: the pause of a bot after its first forfeit; see ``Pauses``.
            referees: run the referees of the matches.
        """
        self.games = sorted(games)
        """The games on offer, by their short names."""
        self.telemetry = telemetry or Telemetry()
        """The telemetry of the tables."""
        self.finished = 0
        """Number of finished matches with stored records."""
        self.running = 0
        """Number of running matches."""
        self._journal = journal
        self._referees = referees
        self._pauses = Pauses(pause_seconds)
        self._carried: list[Play] = []
        self._bots: dict[Bot, None] = {}
        """The bots that may be seated, in order of arrival."""
        self._stirred: dict[Bot, None] = {}
        """The bots whose connection, room or pause may have changed."""
        self._changed = trio.Event()
        self._resting: set[str] = set()
        self._unkept = 0
        self._open = True
        self._is_paused = False
        self._max_matches = sys.maxsize
        self._make_room: Callable[[], object] = _make_none

    def arrived(self, bot: Bot) -> None:
        """Add a bot that was welcomed or has resumed."""
        self._bots.setdefault(bot)
        bot.at_change = self._stir
        self._stir(bot)
        self._changed.set()

    def _stir(self, bot: Bot) -> None:
        self._stirred[bot] = None

    @abstractmethod
    def carry_on(self, match: JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage, outage: Outage) -> None:
        """Take on a match from before a restart, which ``run`` plays to its end. Call it before ``run``.

        Args:
            match: the match as far as it was journaled.
            seats: its seats, which the bots have taken again; ``None`` for a seat that no session held.
            page: the journal page for its further choices.
            outage: the length of the outage, and whether the machine stayed up.
        """

    def keep_within(self, max_matches: int, *, make_room: Callable[[], object]) -> None:
        """Limit the matches at once.

        Args:
            max_matches: the limit.
            make_room: is called at the limit when one more match could begin, to end a match of an absent bot.
        """
        self._max_matches, self._make_room = max_matches, make_room

    def close(self) -> None:
        """Begin no new match. ``run`` returns once the running ones are over."""
        self._open = False
        self._changed.set()

    def pause(self, *, paused: bool) -> None:
        """Begin no new match while paused. Running ones go on."""
        if paused is not self._is_paused:
            self._is_paused = paused
            self._changed.set()

    async def run(self) -> None:
        """Play matches until ``close`` is called and all matches are over."""
        async with trio.open_nursery() as nursery:
            for play in self._carried:
                self.running += 1
                nursery.start_soon(play)
            while self._open:
                self._changed = trio.Event()
                await self._seat_all(nursery)
                # Polled during troubles, since no event says when the disk can be written again.
                # Nor is the time of the next table of use in a pause: a table that is due would stay due.
                troubled = self._is_paused or any(map(self.telemetry.is_in, Trouble))
                with trio.move_on_after(_REST_SECONDS if troubled else self._idle_seconds()):
                    await self._changed.wait()

    def _idle_seconds(self) -> float:
        """Return the seconds until the first pause ends, so that a match may begin then; infinite without pauses."""
        now = trio.current_time()
        left = (self._pauses.left(bot.identity, at=now) for bot in self._bots if bot.has_room)
        return min((seconds for seconds in left if seconds), default=math.inf)

    async def _seat_all(self, nursery: trio.Nursery) -> None:
        self._take_note()
        for number in count(start=1):
            if not self._open or self._is_paused or self._is_troubled:
                return
            if self.running >= self._max_matches:
                if self._somebody_waits():
                    # If this ends a match, the end wakes ``run``.
                    self._make_room()
                return
            table = self._next_table()
            if table is None:
                return
            # Counted as running at once, so that the limit holds before the match has begun.
            self.running += 1
            nursery.start_soon(self._seated(table))
            if not number % _AT_A_STROKE:
                await trio.lowlevel.checkpoint()

    def _take_note(self) -> None:
        """Update the bots that may have changed. Not all bots, since thousands may wait."""
        stirred, self._stirred = self._stirred, {}
        for bot in stirred:
            if not (bot.connected or bot.matches):
                self._bots.pop(bot, None)
            self._looked_at(bot)

    def _looked_at(self, bot: Bot) -> None:
        """Update what a subclass stores of a bot; by default nothing."""

    @property
    def _is_troubled(self) -> bool:
        """True if no match may begin, since its choices or its record could not be stored."""
        return self._unkept >= _MOST_UNKEPT or any(map(self.telemetry.is_in, (Trouble.JOURNAL, Trouble.ROOM)))

    @abstractmethod
    def _somebody_waits(self) -> bool:
        """Return True if, without the limit on matches, a match could begin or might do so soon."""

    @abstractmethod
    def _next_table(self) -> TableT | None:
        """Return the next table whose match may begin; ``None`` if there is none."""

    @abstractmethod
    def _seated(self, table: TableT) -> Play:
        """Take the seats of a table, and return the function that plays its match."""

    def _seatable(self) -> list[Bot]:
        """Return the connected bots without a pause, with or without room for a match."""
        now = trio.current_time()
        return [bot for bot in self._bots if bot.connected and not self._pauses.left(bot.identity, at=now)]

    def _keep_count_of(self, seats: Sequence[BotSeat], bots: Sequence[Bot]) -> None:
        """Pause each bot that forfeits at one of these seats, and notify it of the pause."""
        for bot, seat in zip(bots, seats, strict=True):
            seat.at_forfeit = partial(self._pause, bot, trio.current_time())

    def _pause(self, bot: Bot, match_begun: float) -> str:
        """Pause a bot that forfeits a match, and return the text for its notice; empty without a pause."""
        seconds = self._pauses.forfeited(bot.identity, match_begun=match_begun, at=trio.current_time())
        if not seconds:
            return ""
        # The pause may extend to other bots of the same owner.
        self._stirred |= {other: None for other in self._bots if other.identity.owner == bot.identity.owner}
        bot.telemetry.paused(seconds)
        return f"; the bot is seated again in {seconds:.0f} s"

    def _played_well(self, seats: Sequence[BotSeat], bots: Sequence[Bot]) -> None:
        """Credit the bots that played a match to its end without a forfeit."""
        for bot, seat in zip(bots, seats, strict=True):
            if not seat.forfeited:
                self._pauses.played_well(bot.identity, at=trio.current_time())

    async def _rest(self, game: str) -> None:
        """Pause a game after the server failed in it, so that an immediate failure does not repeat in a tight loop."""
        self._over()
        self._resting.add(game)
        await trio.sleep(_REST_SECONDS)
        self._resting.discard(game)
        self._changed.set()

    def _over(self) -> None:
        """Note that a match no longer runs."""
        self.running -= 1
        self._changed.set()

    @asynccontextmanager
    async def _keeping(self) -> AsyncIterator[None]:
        """Count a match as over, and as finished once its record was stored in this context."""
        self._unkept += 1
        self._over()
        try:
            yield
            self.finished += 1
        finally:
            self._unkept -= 1
            self._changed.set()


def _make_none() -> None:
    """Make no room, as there is no limit on matches."""
