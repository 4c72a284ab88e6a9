"""Tables where each match counts: bots are seated by the rule of the ladder, and all that becomes of it is written down.

A match is entered in the store before it begins, and its result before anybody is told of its end. So whatever stops the
server, each match that was entered goes on, or has its result, or is void in the ledger.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.carried import CarriedMatch, NotCarriedOnError
from ordago.arena.open_tables import OpenTables, Play
from ordago.arena.play import UntoldMatch, play_untold, tell_void
from ordago.arena.processes.supervisor import FailedToStartError, OutOfFilesError
from ordago.arena.seat import BotSeat
from ordago.arena.watched import WatchedMatches
from ordago.journal import JournalError, MatchJournal, MatchPage, match_entry, terms_of
from ordago.match import MatchTerms
from ordago.store import StoreError, StoreFailedError
from ordago.telemetry.telemetry import Telemetry, Trouble
from ordago_ladder.standing.books import BegunMatch, Books, Brought, Sitter
from ordago_ladder.standing.committer import Committer
from ordago_ladder.standing.house_bots import HouseBots
from ordago_ladder.standing.seating import Pool, Strength, Table, Waiting

_NO_JOURNAL: Final = "the server could not note that it began"
_FAILED: Final = "the server failed in the match"

Strengths: TypeAlias = Callable[[str, Sitter], Strength]
"""Returns what is known of the strength of a player at a game."""


class _Seat(NamedTuple):
    """Who sits at a seat of a match that begins."""

    bot: Bot
    seat: BotSeat
    sitter: Sitter

    @property
    def brought(self) -> Brought:
        return Brought(self.sitter, self.bot.identity.build, self.bot.identity.nonce)


def sitter_of(bot: Bot) -> Sitter:
    """Return who a bot from outside is at a table."""
    return Sitter(bot.identity.name, bot.identity.version, bot.identity.account, house=False)


class RatedTables(OpenTables[Table]):
    """Seats bots as a ``Pool`` says, with bots of the house where nobody else is there."""

    def __init__(
        self,
        games: Sequence[str],
        *,
        pool: Pool,
        books: Books,
        house: HouseBots,
        strengths: Strengths,
        watched: WatchedMatches,
        news: Callable[[], None],
        telemetry: Telemetry,
        journal: MatchJournal,
        pause_seconds: float,
    ) -> None:
        """Prepare to play.

        Args:
            games: what is played, by short names.
            pool: says who sits where.
            books: where matches and results are written.
            house: the bots of the house.
            strengths: what is known of whoever waits.
            watched: where matches can be watched.
            news: is called whenever a result, or that a match is void, was written.
            telemetry: where it is told what is played.
            journal: where matches are noted, so that they go on after a restart.
            pause_seconds: for how long whoever forfeits a match first is not seated again.
        """
        super().__init__(games, telemetry=telemetry, journal=journal, pause_seconds=pause_seconds)
        self._pool = pool
        self._books = books
        self._house = house
        self._strengths = strengths
        self._watched = watched
        self._committer = Committer(books, telemetry=telemetry, news=news)
        self._waiting: dict[Bot, None] = {}
        """The bots from outside that wait in the pool."""

    async def run(self) -> None:
        """Play matches until ``close`` is called and all are over and written down."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._committer.run)
            nursery.start_soon(self._watched.keep)
            nursery.start_soon(self._house.rest)
            await super().run()
            nursery.cancel_scope.cancel()

    def carry_on(self, match: v1.JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage) -> None:
        """Play a match of an earlier server to its end. Call it before ``run``."""
        self._carried.append(partial(self._run_carried, match, seats, page))

    @property
    def _is_troubled(self) -> bool:
        # A pool does not know which games rest, so all do for the moment.
        return super()._is_troubled or bool(self._resting)

    def _idle_seconds(self) -> float:
        return min(super()._idle_seconds(), max(0.0, self._pool.wake_at() - trio.current_time()))

    def _look_around(self) -> None:
        """Tell the pool who has come and who is gone."""
        here = {bot: None for bot in self._seatable() if bot.has_room}
        for bot in self._waiting.keys() - here.keys():
            self._pool.remove(bot)
        for bot in here:
            if bot not in self._waiting:
                self._wait(bot, sitter_of(bot), bot.identity.games)
        self._waiting = here
        for name in self._house.ready():
            if name not in self._pool:
                self._wait(name, self._house.sitter(name), self.games)

    def _wait(self, key: Bot | str, sitter: Sitter, games: Sequence[str] | frozenset[str]) -> None:
        # Where no accounts are asked for, a bot is known by its name alone.
        account = "" if sitter.house else sitter.account or f"bot {sitter.name}"
        strengths = {game: self._strengths(game, sitter) for game in sorted(games)}
        self._pool.add(Waiting(key, sitter.name, account, strengths), now=trio.current_time())

    def _somebody_waits(self) -> bool:
        return bool(self._waiting)

    def _next_table(self) -> Table | None:
        return self._pool.next_table(trio.current_time())

    def _seated(self, table: Table) -> Play:
        keys = [waiting.key for waiting in table.seats]
        guests = {bot: bot.take_seat() for bot in self._waiting if bot in keys}
        for bot in guests:
            del self._waiting[bot]
        for key in keys:
            if isinstance(key, str):
                self._house.take(key)
        return partial(self._run_table, table.kind.game, keys, guests)

    async def _run_table(self, game: str, keys: Sequence[Bot | str], guests: Mapping[Bot, BotSeat]) -> None:
        seats: list[_Seat] = []
        try:
            for key in keys:
                seats.append(await self._take(key, guests))
            if any(bot.loss is not None for bot in guests):
                raise _GoneError
            begun = await trio.to_thread.run_sync(self._books.begin_match, game, [seat.brought for seat in seats])
        except Exception as error:
            self._tell_of(error)
            for bot, seat in [*guests.items(), *((one.bot, one.seat) for one in seats if one.sitter.house)]:
                bot.give_back(seat)
            self._leave(keys)
            await self._rest(game)
            return
        await self._run_begun(game, begun, seats)
        self._leave(keys)
