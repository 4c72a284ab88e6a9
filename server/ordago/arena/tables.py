"""Casual tables: bots that come from outside are seated together as they come, again and again."""

import math
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import Final

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.carried import CarriedMatch
from ordago.arena.pauses import FIRST_PAUSE_SECONDS, Pauses
from ordago.arena.play import play
from ordago.arena.seat import BotSeat
from ordago.arena.turns import Turns
from ordago.chance import SECRET_BYTES
from ordago.games.folder import AnyGame
from ordago.journal import NO_JOURNAL, JournalError, MatchJournal, MatchPage, match_entry
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.telemetry.telemetry import Telemetry, Trouble

_EVENT: Final = "casual"
_MOST_UNKEPT: Final = 256
"""While so many records wait to be kept, no new match begins: they would fill the memory. At some ten kilobytes a
record these are a few megabytes."""
_AT_A_STROKE: Final = 8
"""So many tables are seated before those who play already have their turn: thousands of bots may come at once."""
_REST_SECONDS: Final = 1.0
"""A game whose match failed by a mistake of the server is not played anew for so long."""

RecordKeeper = Callable[[v1.MatchRecord], Awaitable[None]]
"""Keeps the record of a match that was played."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """What is played at casual tables of one kind."""

    game: AnyGame
    seats: int
    options: Mapping[str, object]
    time: TimeTerms = field(default_factory=TimeTerms)
    faults: FaultTerms = field(default_factory=FaultTerms)


class CasualTables:
    """Seats waiting bots at tables, those with the fewest matches first and in random order of seats.

    The kinds of tables take turns; see ``Turns``.
    """

    def __init__(
        self,
        kinds: Sequence[TableTerms],
        *,
        keep: RecordKeeper,
        rng: Random | None = None,
        telemetry: Telemetry | None = None,
        journal: MatchJournal = NO_JOURNAL,
        pause_seconds: float = FIRST_PAUSE_SECONDS,
    ) -> None:
        """Offer some kinds of tables.

        Args:
            kinds: what is played.
            keep: is handed the records. When it returns, a record is safe.
            rng: decides who sits where; chance if ``None``.
            telemetry: where it is told what is played; nowhere if ``None``.
            journal: where matches are noted, so that they go on after a restart.
            pause_seconds: for how long whoever forfeits a match first is not seated again; see ``Pauses``.
        """
        self._pauses = Pauses(pause_seconds)
        self._turns = Turns(kinds)
        self._keep = keep
        self._journal = journal
        self._carried: list[CarriedMatch] = []
        self._rng = rng or Random(secrets.randbits(64))
        self._bots: dict[Bot, None] = {}
        """Those who may be seated, in the order in which they came."""
        self._changed = trio.Event()
        self.telemetry = telemetry or Telemetry()
        """Where it is told what is played."""
        self._resting: set[str] = set()
        self._unkept = 0
        self._open = True
        self._max_matches = sys.maxsize
        self._make_room: Callable[[], object] = _make_none
        self.games = sorted({kind.game.name for kind in kinds})
        """The games that are played, by their short names."""
        self.finished = 0
        """The number of matches that came to their end and whose records are kept."""
        self.running = 0
        """The number of matches that are played now."""

    def arrived(self, bot: Bot) -> None:
        """Take in a bot that was welcomed, or that came back."""
        self._bots.setdefault(bot)
        self._changed.set()

    def carry_on(self, match: CarriedMatch) -> None:
        """Play a match of an earlier server to its end. Call it before ``run``."""
        self._carried.append(match)

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
            for match in self._carried:
                self.running += 1
                nursery.start_soon(
                    self._run_to_the_end, match.match_id, match.game, partial(match.play, self.telemetry)
                )
            while self._open:
                self._changed = trio.Event()
                await self._seat_all(nursery)
                # Nobody tells when the journal can be written again.
                troubled = self.telemetry.is_in(Trouble.JOURNAL)
                with trio.move_on_after(_REST_SECONDS if troubled else self._shortest_pause()):
                    await self._changed.wait()

    def _shortest_pause(self) -> float:
        """Return in how many seconds the first of those is to be seated again who pause."""
        now = trio.current_time()
        left = (self._pauses.left(bot.identity, at=now) for bot in self._bots if bot.has_room)
        return min((seconds for seconds in left if seconds), default=math.inf)

    async def _seat_all(self, nursery: trio.Nursery) -> None:
        for bot in [bot for bot in self._bots if not (bot.connected or bot.matches)]:
            del self._bots[bot]
        for number in count(start=1):
            table = self._next_table() if self._open else None
            if table is None:
                return
            if self.running >= self._max_matches:
                # Whoever ends by this lets the tables look again.
                self._make_room()
                return
            kind, bots = table
            self._turns.begun(kind)
            # Counted as running at once, since each of them will give a record to keep.
            self.running += 1
            nursery.start_soon(self._run_table, kind, bots, [bot.take_seat() for bot in bots])
            if not number % _AT_A_STROKE:
                await trio.lowlevel.checkpoint()

    def _next_table(self) -> tuple[TableTerms, list[Bot]] | None:
        """Return the kind of one more table and its bots in order of seats, or nothing if there are none for any."""
        if self._unkept >= _MOST_UNKEPT or self.telemetry.is_in(Trouble.JOURNAL):
            return None
        kept_free: set[Bot] = set()
        now = trio.current_time()
        seated = [bot for bot in self._bots if bot.connected and not self._pauses.left(bot.identity, at=now)]
        all_free = [bot for bot in seated if bot.has_room]
        for kind, overdue in self._turns:
            game = kind.game.name
            if game in self._resting:
                continue
            bots = self._seated(kind, [bot for bot in all_free if game in bot.identity.games and bot not in kept_free])
            if bots:
                return kind, bots
            if overdue:
                players = [bot for bot in seated if game in bot.identity.games]
                if sum(not bot.retired for bot in players) >= kind.seats:
                    kept_free.update(players)
        return None

    def _seated(self, kind: TableTerms, free: list[Bot]) -> list[Bot]:
        """Return who of the free bots sits at a table of a kind, in order of seats; nobody if they are too few."""
        if len(free) < kind.seats:
            return []
        free.sort(key=lambda bot: bot.matches)
        bots = free[: kind.seats]
        self._rng.shuffle(bots)
        return bots

    async def _run_table(self, kind: TableTerms, bots: Sequence[Bot], seats: Sequence[BotSeat]) -> None:
        try:
            terms = _terms(kind, bots)
            page = self._journal.begin_match(match_entry(terms, _sitting(bots, seats)))
        except JournalError as error:
            # Nobody was told of the match: it did not begin, and the bots wait for another one.
            _give_back(bots, seats)
            self.telemetry.begins(Trouble.JOURNAL, str(error))
            self._over()
            return
        except Exception:  # noqa: BLE001 - as below
            self.telemetry.failed_at("preparing a match")
            _give_back(bots, seats)
            await self._rest(kind.game.name)
            return
        await self._run_to_the_end(terms.match_id, kind.game.name, partial(self._play, terms, bots, seats, page))

    async def _play(
        self, terms: MatchTerms, bots: Sequence[Bot], seats: Sequence[BotSeat], page: MatchPage
    ) -> v1.MatchRecord:
        for bot, seat in zip(bots, seats, strict=True):
            seat.at_forfeit = partial(self._pause, bot, trio.current_time())
        with self.telemetry.match(terms, goes_on_later=self._journal.lasts):
            record = await play(terms, seats, choice_log=page, goes_on_later=self._journal.lasts)
        forfeited = {entry.forfeit.seat for entry in record.entries if entry.HasField("forfeit")}
        for number, bot in enumerate(bots):
            if number not in forfeited:
                self._pauses.played_well(bot.identity, at=trio.current_time())
        return record

    def _pause(self, bot: Bot, match_begun: float) -> str:
        """Let a bot pause that forfeits a match, and say so."""
        seconds = self._pauses.forfeited(bot.identity, match_begun=match_begun, at=trio.current_time())
        if not seconds:
            return ""
        bot.told.paused(seconds)
        return f"; the bot is seated again in {seconds:.0f} s"

    async def _run_to_the_end(
        self, match_id: str, game: str, play: Callable[[], Awaitable[v1.MatchRecord | None]]
    ) -> None:
        """Play one match. If the server fails in it, it is void and told, and all others go on.

        It is struck from the journal when its record is safe, or when it is void. What is cancelled stays there.
        """
        try:
            record = await play()
        except Exception:  # noqa: BLE001 - whatever it is, it is one match's, and it has been told
            self._journal.end_match(match_id)
            await self._rest(game)
        else:
            if record is None:
                self._over()
            else:
                await self._hand_over(record)
            self._journal.end_match(match_id)

    async def _rest(self, game: str) -> None:
        """Let a game rest whose match failed, so that a mistake that comes at once does not come without end."""
        self._over()
        self._resting.add(game)
        await trio.sleep(_REST_SECONDS)
        self._resting.discard(game)
        self._changed.set()

    async def _hand_over(self, record: v1.MatchRecord) -> None:
        self._unkept += 1
        self._over()
        try:
            await self._keep(record)
            self.finished += 1
        finally:
            self._unkept -= 1
            self._changed.set()

    def _over(self) -> None:
        self.running -= 1
        self._changed.set()


def _make_none() -> None:
    """Make no room: nobody said how many matches are too many."""


def _give_back(bots: Sequence[Bot], seats: Sequence[BotSeat]) -> None:
    """Give back the seats of a match that does not begin."""
    for bot, seat in zip(bots, seats, strict=True):
        bot.give_back(seat)


def _sitting(bots: Sequence[Bot], seats: Sequence[BotSeat]) -> list[v1.JournaledSeat]:
    return [
        v1.JournaledSeat(session_id=bot.session.id, match_handle=seat.handle)
        for bot, seat in zip(bots, seats, strict=True)
    ]


def _terms(kind: TableTerms, bots: Sequence[Bot]) -> MatchTerms:
    """Return the terms of a casual match: a secret of its own, which is revealed at its end."""
    secret = secrets.token_bytes(SECRET_BYTES)
    # Bots from outside may share a name; their seats at the table tell them apart.
    nonces = {f"{number}.{bot.identity.name}": bot.identity.nonce for number, bot in enumerate(bots)}
    return single_match_terms(
        game=kind.game,
        options=kind.options,
        seats=[SeatTerms(bot.identity.name, bot.identity.version, bot.identity.build) for bot in bots],
        secret=secret,
        event=_EVENT,
        nonces=nonces,
        time=kind.time,
        faults=kind.faults,
    )
