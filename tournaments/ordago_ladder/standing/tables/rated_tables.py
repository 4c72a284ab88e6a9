"""Tables of a ladder: bots are seated by its rule, and every outcome is stored.

Matches count, except those of challenges, which begin only while no rated match can.

A match is entered in the store before it begins, and its result before any bot learns of its end. So whatever stops
the server, each entered match goes on later, or has its result, or is void in the ledger.
"""

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.carried_on import CarriedMatch, NotCarriedOnError
from ordago.arena.play import Referees, UntoldMatch, play_untold, tell_void
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.supervisor import FailedToStartError, absent_bot
from ordago.arena.seat import BotSeat
from ordago.arena.tables.open_tables import OpenTables, Play
from ordago.arena.tables.watched import WatchedMatch, WatchedMatches
from ordago.journal import JournalError, MatchJournal, MatchPage, Outage, match_entry, terms_of
from ordago.journal.v1 import JournaledMatch
from ordago.match import MatchTerms, PlayerFailedError
from ordago.record.head import NO_LINES, Head
from ordago.store import StoreError, StoreFailedError
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_ladder.standing.seating import KnownStrength, Pool, Table, Waiting
from ordago_ladder.standing.tables.challenges import Challenge, Challenges, ChallengeTable
from ordago_ladder.standing.tables.co_players import Begun, Place
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.house_bots import HouseBots
from ordago_ladder.standing.tables.notices import UnseatedBots
from ordago_ladder.standing.tables.repository import LadderRepository, Sitter

_NOT_NOTED: Final = "the server could not save the start of the match"
_FAILED: Final = "the server failed in the match"
_NO_HOUSE: Final = "the house bot could not be started"

Strengths: TypeAlias = Callable[[str, Sitter], KnownStrength]
"""Type of a function that returns the known strength of a player at a game."""


def sitter_of(bot: Bot) -> Sitter:
    """Return the identity of a bot from outside at a table."""
    return Sitter(bot.identity.name, bot.identity.version, bot.identity.account, house=False)


class RatedTables(OpenTables[Table | ChallengeTable]):
    """Tables that a ``Pool`` fills, with house bots where too few others wait."""

    def __init__(
        self,
        games: Sequence[str],
        *,
        pool: Pool,
        repository: LadderRepository,
        committer: Committer,
        house: HouseBots,
        strengths: Strengths,
        watched: WatchedMatches,
        telemetry: Telemetry,
        journal: MatchJournal,
        pause_seconds: float,
        referees: Referees,
        challenges: Challenges,
        exhibiting: HouseBots | None = None,
    ) -> None:
        """Prepare to play.

        Args:
            games: the games that are played, by their short names.
            pool: decides the seats.
            repository: enters matches in the store.
            committer: writes their outcomes.
            house: the house bots.
            strengths: returns the known strength of a waiting player.
            watched: shows running matches to spectators.
            telemetry: counts and reports matches and troubles.
            journal: notes matches, so that they go on after a restart.
            pause_seconds: the pause of a bot after its first forfeit, in seconds; 0 for none.
            referees: the referees of the matches, in this process or in workers.
            challenges: the challenges of authors.
            exhibiting: house bots for exhibitions, one table for each game, while nobody else plays; ``None`` for no
                exhibitions.
        """
        super().__init__(games, telemetry=telemetry, journal=journal, pause_seconds=pause_seconds, referees=referees)
        self._pool = pool
        self._repository = repository
        self._house = house
        self._challenges = challenges
        self._exhibiting = exhibiting
        self._exhibitions: set[trio.CancelScope] = set()
        """The cancel scopes of the running exhibitions."""
        self._strengths = strengths
        self._watched = watched
        self._committer = committer
        self._waiting: dict[Bot, float] = {}
        """The bots from outside that wait in the pool, the first to come first, and since when (``time.monotonic``)."""
        self._unseated = UnseatedBots(telemetry, waiting=self._waiting, games=self.games)
        self._pausing: list[_Pausing] = []
        """A heap of the bots that have room for a match but pause; each is in it once."""
        self._paused: set[Bot] = set()
        self._numbers = count()

    async def run(self) -> None:
        """Play matches until ``close`` is called and all are over and committed."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._committer.run)
            nursery.start_soon(self._committer.watch)
            nursery.start_soon(self._watched.keep)
            await super().run()
            nursery.cancel_scope.cancel()

    def carry_on(self, match: JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage, outage: Outage) -> None:
        """Play a match of an earlier server to its end. Call it before ``run``."""
        self._carried.append(partial(self._run_carried, match, seats, page, outage))

    @property
    def _is_troubled(self) -> bool:
        # The pool cannot leave out single games, so while one game rests all of them do.
        return super()._is_troubled or self.telemetry.is_in(Trouble.STORE) or bool(self._resting)

    def _idle_seconds(self) -> float:
        if self._resting:
            # The end of the rest wakes the loop. Until then the pool is not asked, so a table that is due would stay
            # due, and its wake time would make the loop spin.
            return math.inf
        wake_at = min(self._pool.wake_at(), self._pausing[0].until if self._pausing else math.inf)
        return max(0.0, wake_at - trio.current_time())

    def _look_around(self) -> None:
        """Update the pool with the bots that came and went."""
        while self._pausing and self._pausing[0].until <= trio.current_time():
            pausing = heappop(self._pausing)
            self._paused.discard(pausing.bot)
            self._stir(pausing.bot)
        self._take_note()
        if self._waiting:
            self._house.warm_up()
        for name in self._house.ready():
            if name not in self._pool:
                self._wait(name, self._house.sitter(name), self.games)

    def _looked_at(self, bot: Bot) -> None:
        now = trio.current_time()
        pauses = self._pauses.left(bot.identity, at=now)
        if bot.has_room and not pauses:
            if bot not in self._waiting:
                self._waiting[bot] = time.monotonic()
                self._wait(bot, sitter_of(bot), bot.identity.games)
            return
        self._pool.remove(bot)
        self._waiting.pop(bot, None)
        if bot.has_room and bot not in self._paused:
            self._paused.add(bot)
            heappush(self._pausing, _Pausing(now + pauses, next(self._numbers), bot))

    def _wait(self, key: Bot | str, sitter: Sitter, games: Sequence[str] | frozenset[str]) -> None:
        strengths = {game: self._strengths(game, sitter) for game in sorted(games)}
        self._pool.add(Waiting(key, sitter.name, sitter.met_as, strengths), now=trio.current_time())

    def _somebody_waits(self) -> bool:
        return bool(self._waiting)

    def _next_table(self) -> Table | ChallengeTable | None:
        self._look_around()
        if (table := self._pool.next_table(trio.current_time())) is not None:
            return table
        self._unseated.look(self._pool)
        # A bot that waits looks for a table every half second, so no challenge has to wake this loop.
        challenge = self._challenges.seat(self._waiting, tuple(self._house.ready()))
        return self._pool.exhibition() if challenge is None and self._may_exhibit else challenge

    @property
    def _may_exhibit(self) -> bool:
        """True if an exhibition may begin: nobody else waits or plays, and a table is left for it."""
        others = self._waiting or self.running > len(self._exhibitions)
        return self._exhibiting is not None and not others and len(self._exhibitions) < len(self.games)

    def _seated(self, table: Table | ChallengeTable) -> Play:
        """Take the seats of a table, and return the coroutine function that plays its match."""
        if isinstance(table, ChallengeTable):
            return partial(self._run_challenge, table, self._co_players(table.seats, self._house))
        if self._exhibiting is not None and not isinstance(table.first.key, Bot):
            self._exhibitions.add(scope := trio.CancelScope())
            return partial(self._exhibit, table, self._exhibiting, scope)
        return partial(self._run_table, table.kind.game, self._co_players(_keys(table), self._house))

    async def _exhibit(self, table: Table, house: HouseBots, scope: trio.CancelScope) -> None:
        with scope:
            await self._run_table(table.kind.game, self._co_players(_keys(table), house))
        self._exhibitions.discard(scope)
        self._changed.set()

    def close(self) -> None:
        """Begin no new matches, and stop exhibitions: these go on after a restart, without pauses."""
        super().close()
        for scope in self._exhibitions:
            scope.cancel()

    def _co_players(self, seats: Sequence[Bot | str], house: HouseBots) -> Sequence[Place]:
        """Take the seats of a table, and note that its bots do not wait any more."""
        co_players = []
        for key in seats:
            self._pool.remove(key)
            if isinstance(key, Bot):
                del self._waiting[key]
                co_players.append(Place(sitter_of(key), key, key.take_seat()))
                self._stir(key)
            else:
                house.take(key)
                co_players.append(Place(house.sitter(key), house=house))
        return co_players

    async def _run_challenge(self, table: ChallengeTable, co_players: Sequence[Place]) -> None:
        challenge = table.challenge
        if await self._committer.work(partial(self._challenges.may_begin, challenge)):
            await self._run_table(challenge.shown.game, co_players, challenge=challenge)
        else:
            # No failure of the server, so that the game does not rest: nobody slows down rated play by challenges.
            for one in co_players:
                one.give_back()
                self._leave(one)
            self._over()
        self._challenges.over(challenge)

    async def _run_table(self, game: str, co_players: Sequence[Place], *, challenge: Challenge | None = None) -> None:
        begun = await self._begun(game, co_players, challenger="" if challenge is None else challenge.account)
        if challenge is not None:
            self._challenges.began(challenge, None if begun is None else begun.terms.match_id)
        if begun is None:
            await self._rest(game)
        else:
            seats = [one.seat for one in co_players if one.seat is not None]
            await self._run_to_the_end(begun.terms.match_id, game, seats, partial(self._play, begun, co_players, seats))
        for one in co_players:
            self._leave(one)
        self._changed.set()

    @staticmethod
    def _leave(one: Place) -> None:
        if one.house is not None:
            one.house.leave(one.sitter.name)

    async def _begun(self, game: str, co_players: Sequence[Place], *, challenger: str) -> Begun | None:
        """Enter a match in store and journal; return ``None`` if it cannot begin, before any bot heard of it."""
        try:
            await self._complete(co_players)
            brought = [one.brought for one in co_players]
            begin = partial(self._repository.begin_match, game, brought, challenger=challenger)
            match = await self._committer.work(begin)
        except Exception as error:  # noqa: BLE001 - any error concerns this match alone, which no bot has heard of
            self._cannot_begin(error)
            for one in co_players:
                one.give_back()
            return None
        self.telemetry.is_over(Trouble.STORE)
        try:
            page = self._journal.begin_match(match_entry(match.terms, [one.journaled for one in co_players]))
        except JournalError as error:
            self.telemetry.begins(Trouble.JOURNAL, str(error))
            await self._enter_void(match.terms.match_id, _NOT_NOTED)
            for one in co_players:
                one.give_back()
            return None
        return Begun(match.terms, match.head, page)

    async def _complete(self, co_players: Sequence[Place]) -> None:
        """Start the house bots of a match and take their seats."""
        for one in co_players:
            if one.seat is None and one.house is not None:
                one.bot, one.seat = await one.house.seat(one.sitter.name)

    def _cannot_begin(self, error: Exception) -> None:
        if isinstance(error, StoreFailedError):
            self.telemetry.begins(Trouble.STORE, str(error))
        elif isinstance(error, FailedToStartError | NotStartableError):
            self.telemetry.house_bot_missing(str(error))
        else:
            self.telemetry.failed_at("preparing a match")

    async def _play(self, begun: Begun, co_players: Sequence[Place], seats: Sequence[BotSeat]) -> UntoldMatch:
        guests = [number for number, one in enumerate(co_players) if not one.sitter.house]
        taken, bots = [seats[number] for number in guests], [co_players[number].here for number in guests]
        self._keep_count_of(taken, bots)
        with self.telemetry.match(begun.terms, goes_on_later=True):
            match = await self._watched_play(begun.terms, seats, choice_log=begun.page, head=begun.head)
        self._played_well(taken, bots)
        return match

    async def _watched_play(
        self,
        terms: MatchTerms,
        seats: Sequence[BotSeat],
        **how: Any,  # noqa: ANN401 - as play_untold takes them
    ) -> UntoldMatch:
        """Play a match that spectators may watch; see ``play_untold``."""
        onlooker = self._watched.begin(terms)
        return await play_untold(terms, seats, onlookers=[onlooker], referees=self._referees, **how)

    async def _run_carried(
        self, match: JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage, outage: Outage
    ) -> None:
        """Play a match of an earlier server to its end. Its house bots ended with that server, and are started anew."""
        whole: list[BotSeat] = []
        carried = CarriedMatch(match, whole, page, outage=outage, terms=self._terms_of)
        names = [match.record.seats[number].name for number, seat in enumerate(seats) if seat is None]
        for name in names:
            self._house.take(name)

        async def play() -> UntoldMatch | None:
            try:
                for number, seat in enumerate(seats):
                    whole.append(seat or await self._house_again(match.record.seats[number].name))
                return await carried.carry_on(self.telemetry, self._watched_play)
            except NotCarriedOnError as error:
                await self._enter_void(carried.match_id, str(error))
                carried.tell_void(str(error))
                return None

        await self._run_to_the_end(carried.match_id, carried.game, whole, play)
        for name in names:
            self._house.leave(name)
        self._changed.set()

    async def _house_again(self, name: str) -> BotSeat:
        """Return a seat of a house bot for a match that goes on; a stand-in's if the bot cannot be started."""
        try:
            return (await self._house.seat(name))[1]
        except KeyError:
            why = f"{name!r} is no house bot any more"
        except (FailedToStartError, NotStartableError) as error:
            why = str(error)
        self.telemetry.house_bot_missing(why)
        return absent_bot(name, v1.FAULT_FAILED_TO_START, _NO_HOUSE).take_seat()

    def _terms_of(self, match: JournaledMatch) -> MatchTerms:
        return terms_of(match, secret=self._repository.secret_of(match.record.match_id))

    async def _run_to_the_end(
        self, match_id: str, game: str, seats: Sequence[BotSeat], play: Callable[[], Awaitable[UntoldMatch | None]]
    ) -> None:
        """Play one match, and store its outcome before any bot learns of it.

        An error of the server makes this match void, and no other. A cancelled match stays in the journal.
        """
        try:
            match = await play()
        except Exception as error:  # noqa: BLE001 - any error concerns this match alone, and is reported already
            why = str(error.__cause__) if isinstance(error.__cause__, PlayerFailedError) else _FAILED
            tell_void(seats, why, await self._enter_void(match_id, why))
            await self._rest(game)
        else:
            if match is None:
                self._over()
            else:
                async with self._keeping():
                    await self._committer.commit(match)
                self._see(match_id, lambda seen: seen.over(match.record))
        self._journal.end_match(match_id)

    async def _enter_void(self, match_id: str, sentence: str) -> Head:
        """Enter a match as void, and show that to its spectators. Return the head of its ledger."""
        self._see(match_id, lambda seen: seen.void(sentence))
        try:
            return await self._committer.void(match_id, sentence)
        except StoreError:
            self.telemetry.failed_at("saving a void match")
            return NO_LINES

    def _see(self, match_id: str, tell: Callable[[WatchedMatch], None]) -> None:
        seen = self._watched.find(match_id)
        if seen is not None:
            tell(seen)

    def guests(self) -> list[tuple[Bot, Sitter]]:
        """Return the connected bots from outside, with their identities."""
        return [(bot, sitter_of(bot)) for bot in self._bots if bot.connected]


def _keys(table: Table) -> Sequence[Bot | str]:
    """Return the bots of a table in order of seats; house bots by their names."""
    return [one.key if isinstance(one.key, Bot) else one.name for one in table.seats]


class _Pausing(NamedTuple):
    """A pausing bot, and the time at which it is looked at again."""

    until: float
    number: int
    """A serial number that orders bots of the same time."""
    bot: Bot
