"""Tables that are open to whoever comes: bots wait, matches begin as long as there is room, and go on after a restart.

Who sits at them, and what becomes of a match, say those who inherit from here.
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
"""While so many records wait to be kept, no new match begins: they would fill the memory. At some ten kilobytes a
record these are a few megabytes."""
_AT_A_STROKE: Final = 8
"""So many tables are seated before those who play already have their turn: thousands of bots may come at once."""
_REST_SECONDS: Final = 1.0
"""A game whose match failed by a mistake of the server is not played anew for so long."""

Play = Callable[[], Awaitable[None]]
"""Plays one match, from its beginning to its end."""
TableT = TypeVar("TableT")
"""What is known of a table whose match may begin."""


class OpenTables(ABC, Generic[TableT]):
    """Begins matches among bots that come from outside."""

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
            games: what is played, by short names.
            telemetry: where it is told what is played; nowhere if ``None``.
            journal: where matches are noted, so that they go on after a restart.
            pause_seconds: for how long whoever forfeits a match first is not seated again; see ``Pauses``.
            referees: where the referees of the matches are.
        """
        self.games = sorted(games)
        """The games that are played, by their short names."""
        self.telemetry = telemetry or Telemetry()
        """Where it is told what is played."""
        self.finished = 0
        """The number of matches that came to their end and whose records are kept."""
        self.running = 0
        """The number of matches that are played now."""
        self._journal = journal
        self._referees = referees
        self._pauses = Pauses(pause_seconds)
        self._carried: list[Play] = []
        self._bots: dict[Bot, None] = {}
        """Those who may be seated, in the order in which they came."""
        self._stirred: dict[Bot, None] = {}
        """Those of whom it may have changed whether they are here, have room, or pause."""
        self._changed = trio.Event()
        self._resting: set[str] = set()
        self._unkept = 0
        self._open = True
        self._max_matches = sys.maxsize
        self._make_room: Callable[[], object] = _make_none

    def arrived(self, bot: Bot) -> None:
        """Take in a bot that was welcomed, or that came back."""
        self._bots.setdefault(bot)
        bot.at_change = self._stir
        self._stir(bot)
        self._changed.set()

    def _stir(self, bot: Bot) -> None:
        self._stirred[bot] = None

    @abstractmethod
    def carry_on(self, match: JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage, outage: Outage) -> None:
        """Play a match of an earlier server to its end. Call it before ``run``.

        Args:
            match: the match, as far as it has come.
            seats: its seats, which the bots have again; ``None`` where no session had one.
            page: where its choices are entered.
            outage: how the server was away.
        """

    def keep_within(self, max_matches: int, *, make_room: Callable[[], object]) -> None:
        """Play only so many matches at once, and ask for room where one more could begin."""
        self._max_matches, self._make_room = max_matches, make_room

    def close(self) -> None:
        """Begin no new match. ``run`` returns when the running ones are over."""
        self._open = False
        self._changed.set()

    async def run(self) -> None:
        """Play matches until ``close`` is called and all are over."""
        async with trio.open_nursery() as nursery:
            for play in self._carried:
                self.running += 1
                nursery.start_soon(play)
            while self._open:
                self._changed = trio.Event()
                await self._seat_all(nursery)
                # Nobody tells when the disk can be written again.
                troubled = any(map(self.telemetry.is_in, Trouble))
                with trio.move_on_after(_REST_SECONDS if troubled else self._idle_seconds()):
                    await self._changed.wait()

    def _idle_seconds(self) -> float:
        """Return in how many seconds it is to be looked again whether a match can begin, if nothing changes."""
        now = trio.current_time()
        left = (self._pauses.left(bot.identity, at=now) for bot in self._bots if bot.has_room)
        return min((seconds for seconds in left if seconds), default=math.inf)

    async def _seat_all(self, nursery: trio.Nursery) -> None:
        self._take_note()
        for number in count(start=1):
            if not self._open or self._is_troubled:
                return
            if self.running >= self._max_matches:
                if self._somebody_waits():
                    # Whoever ends by this lets the tables look again.
                    self._make_room()
                return
            table = self._next_table()
            if table is None:
                return
            # Counted as running at once, since each of them will give a record to keep.
            self.running += 1
            nursery.start_soon(self._seated(table))
            if not number % _AT_A_STROKE:
                await trio.lowlevel.checkpoint()

    def _take_note(self) -> None:
        """Look at those of whom something may have changed, and at nobody else: thousands may wait."""
        stirred, self._stirred = self._stirred, {}
        for bot in stirred:
            if not (bot.connected or bot.matches):
                self._bots.pop(bot, None)
            self._looked_at(bot)

    def _looked_at(self, bot: Bot) -> None:
        """Take note of how a bot is by now. Nothing has to be done where all are looked at for each table."""

    @property
    def _is_troubled(self) -> bool:
        """Whether no match may begin, since it could not be kept."""
        return self._unkept >= _MOST_UNKEPT or any(map(self.telemetry.is_in, (Trouble.JOURNAL, Trouble.ROOM)))

    @abstractmethod
    def _somebody_waits(self) -> bool:
        """Say whether a match could begin, or may do so soon, if there were room for more."""

    @abstractmethod
    def _next_table(self) -> TableT | None:
        """Return one more table whose match begins; nothing if there is none."""

    @abstractmethod
    def _seated(self, table: TableT) -> Play:
        """Take the seats of a table, and return how its match is played."""

    def _seatable(self) -> list[Bot]:
        """Return the bots that are here and do not pause, whether they have room or not."""
        now = trio.current_time()
        return [bot for bot in self._bots if bot.connected and not self._pauses.left(bot.identity, at=now)]

    def _keep_count_of(self, seats: Sequence[BotSeat], bots: Sequence[Bot]) -> None:
        """See to it that whoever forfeits at a seat pauses, and is told so."""
        for bot, seat in zip(bots, seats, strict=True):
            seat.at_forfeit = partial(self._pause, bot, trio.current_time())

    def _pause(self, bot: Bot, match_begun: float) -> str:
        """Let a bot pause that forfeits a match, and say so."""
        seconds = self._pauses.forfeited(bot.identity, match_begun=match_begun, at=trio.current_time())
        if not seconds:
            return ""
        # The pause may be one for others of his owner, too.
        self._stirred |= {other: None for other in self._bots if other.identity.owner == bot.identity.owner}
        bot.told.paused(seconds)
        return f"; the bot is seated again in {seconds:.0f} s"

    def _played_well(self, seats: Sequence[BotSeat], bots: Sequence[Bot]) -> None:
        """Note who of the bots at the seats of a match played it to its end."""
        for bot, seat in zip(bots, seats, strict=True):
            if not seat.forfeited:
                self._pauses.played_well(bot.identity, at=trio.current_time())

    async def _rest(self, game: str) -> None:
        """Let a game rest whose match failed, so that a mistake that comes at once does not come without end."""
        self._over()
        self._resting.add(game)
        await trio.sleep(_REST_SECONDS)
        self._resting.discard(game)
        self._changed.set()

    def _over(self) -> None:
        """A match runs no more."""
        self.running -= 1
        self._changed.set()

    @asynccontextmanager
    async def _keeping(self) -> AsyncIterator[None]:
        """Count a match that runs no more, and that is kept when this is left."""
        self._unkept += 1
        self._over()
        try:
            yield
            self.finished += 1
        finally:
            self._unkept -= 1
            self._changed.set()


def _make_none() -> None:
    """Make no room: nobody said how many matches are too many."""
