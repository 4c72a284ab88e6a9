"""Casual tables: remote bots are seated together in order of arrival, again and again."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, Generic, TypeAlias, TypeVar

from ordago.arena.bot import Bot
from ordago.arena.carried_on import CarriedMatch
from ordago.arena.play import HERE, Referees, play
from ordago.arena.seat import BotSeat
from ordago.arena.tables.open_tables import OpenTables, Play
from ordago.arena.tables.pauses import FIRST_PAUSE_SECONDS
from ordago.chance import SECRET_BYTES
from ordago.games.definition import AnyGame
from ordago.journal import NO_JOURNAL, JournalError, MatchJournal, MatchPage, Outage, match_entry
from ordago.journal.v1 import JournaledMatch, JournaledSeat
from ordago.match import FaultTerms, MatchTerms, SeatTerms, TimeTerms, single_match_terms
from ordago.record import FinishedRecord
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble

KindT = TypeVar("KindT")

MOST_PASSED_OVER: Final = 4
"""The number of tables of each other kind that may begin while one kind waits. After that, bots are reserved for it.
High enough that few seats stay empty, low enough that no game starves."""


class Turns(Generic[KindT]):
    """Round-robin over kinds of tables: the kind that began longest ago comes first."""

    def __init__(self, kinds: Iterable[KindT]) -> None:
        """Begin with these kinds, in this order."""
        self._waiting = [(kind, 0) for kind in kinds]

    def __iter__(self) -> Iterator[tuple[KindT, bool]]:
        """Iterate over the kinds in turn, each with True if it has been passed over too often."""
        most = MOST_PASSED_OVER * (len(self._waiting) - 1)
        return iter([(kind, passed_over >= most > 0) for kind, passed_over in self._waiting])

    def begun(self, begun: KindT) -> None:
        """Note that a table of a kind begins: that kind now comes last, and all others were passed over."""
        others = [(kind, passed_over + 1) for kind, passed_over in self._waiting if kind != begun]
        self._waiting = [*others, (begun, 0)]


_EVENT: Final = "casual"

RecordKeeper = Callable[[FinishedRecord], Awaitable[None]]
"""Stores the record of a finished match."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms of the matches at casual tables of one kind."""

    game: AnyGame
    seats: int
    options: Mapping[str, object]
    time: TimeTerms = field(default_factory=TimeTerms)
    faults: FaultTerms = field(default_factory=FaultTerms)


Table: TypeAlias = tuple[TableTerms, list[Bot]]
"""A kind of table, and the bots at it in order of seats."""


class CasualTables(OpenTables[Table]):
    """Seats waiting bots at tables, those with the fewest running matches first, in random order of seats.

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
        referees: Referees = HERE,
    ) -> None:
        """Offer some kinds of tables.

        Args:
            kinds: the kinds of tables.
            keep: stores a record; when it returns, the record is safe.
            rng: decides the order of seats; ``None`` for a random seed.
            telemetry: receives what happens; ``None`` to drop that.
            journal: holds the matches, so that they go on after a restart.
            pause_seconds: the pause of a bot after its first forfeit; see ``Pauses``.
            referees: run the referees of the matches.
        """
        games = {kind.game.name for kind in kinds}
        super().__init__(games, telemetry=telemetry, journal=journal, pause_seconds=pause_seconds, referees=referees)
        self._turns = Turns(kinds)
        self._keep = keep
        self._rng = rng or Random(secrets.randbits(64))

    def carry_on(self, match: JournaledMatch, seats: Sequence[BotSeat | None], page: MatchPage, outage: Outage) -> None:
        """Take on a match from before a restart, which ``run`` plays to its end. Call it before ``run``."""
        carried = CarriedMatch(match, [seat for seat in seats if seat is not None], page, outage=outage)
        played = partial(carried.play, self.telemetry, referees=self._referees)
        self._carried.append(partial(self._run_to_the_end, carried.match_id, carried.game, played))

    def _somebody_waits(self) -> bool:
        return self._next_table() is not None

    def _next_table(self) -> Table | None:
        """Return the next kind that has enough bots, and its bots in order of seats; ``None`` if no kind has."""
        kept_free: set[Bot] = set()
        seated = self._seatable()
        all_free = [bot for bot in seated if bot.has_room]
        for kind, overdue in self._turns:
            game = kind.game.name
            if game in self._resting:
                continue
            bots = self._among(kind, [bot for bot in all_free if game in bot.identity.games and bot not in kept_free])
            if bots:
                return kind, bots
            if overdue:
                players = [bot for bot in seated if game in bot.identity.games]
                if sum(not bot.retired for bot in players) >= kind.seats:
                    kept_free.update(players)
        return None

    def _among(self, kind: TableTerms, free: list[Bot]) -> list[Bot]:
        """Return the bots for a table among the free ones, in order of seats; empty if there are too few."""
        if len(free) < kind.seats:
            return []
        free.sort(key=lambda bot: bot.matches)
        bots = free[: kind.seats]
        self._rng.shuffle(bots)
        return bots

    def _seated(self, table: Table) -> Play:
        """Take the seats of a table, and return the function that plays its match."""
        kind, bots = table
        self._turns.begun(kind)
        return partial(self._run_table, kind, bots, [bot.take_seat() for bot in bots])

    async def _run_table(self, kind: TableTerms, bots: Sequence[Bot], seats: Sequence[BotSeat]) -> None:
        try:
            terms = _terms(kind, bots)
            page = self._journal.begin_match(match_entry(terms, _journaled_seats(bots, seats)))
        except JournalError as error:
            # The match did not begin and no bot was notified of it, so the bots wait for another one.
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
    ) -> FinishedRecord:
        self._keep_count_of(seats, bots)
        with self.telemetry.match(terms, goes_on_later=self._journal.lasts):
            record = await play(
                terms, seats, choice_log=page, goes_on_later=self._journal.lasts, referees=self._referees
            )
        self._played_well(seats, bots)
        return record

    async def _run_to_the_end(
        self, match_id: str, game: str, play: Callable[[], Awaitable[FinishedRecord | None]]
    ) -> None:
        """Play one match and store its record. If the server fails in it, it is void, and all others go on.

        It is removed from the journal once its record is safe or the match is void. A cancelled match stays there.
        """
        try:
            record = await play()
        except Exception:  # noqa: BLE001 - any failure ends this match alone, and has been reported
            self._journal.end_match(match_id)
            await self._rest(game)
        else:
            if record is None:
                self._over()
            else:
                async with self._keeping():
                    await self._keep(record)
            self._journal.end_match(match_id)


def _give_back(bots: Sequence[Bot], seats: Sequence[BotSeat]) -> None:
    """Give back the seats of a match that does not begin."""
    for bot, seat in zip(bots, seats, strict=True):
        bot.give_back(seat)


def _journaled_seats(bots: Sequence[Bot], seats: Sequence[BotSeat]) -> list[JournaledSeat]:
    return [
        JournaledSeat(session_id=bot.session.id, match_handle=seat.handle)
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
