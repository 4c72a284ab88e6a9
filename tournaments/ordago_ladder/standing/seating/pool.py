"""Pool of the bots that wait for a match on a standing ladder, and the choice of the next table."""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, count
from random import Random
from typing import Final, NamedTuple

from ordago_ladder.standing.seating.pairing_draw import Drawn, drawn
from ordago_ladder.standing.seating.participants import Kind, Seated, Waiting, WaitingRoom
from ordago_ladder.standing.seating.past import MOST_AHEAD, AccountTurns, Past
from ordago_ladder.standing.seating.seat_order import in_order_of_seats, information_of

LONE_SECONDS: Final = 2.0
"""The seconds after which house bots fill up a table."""
_LOOKS: Final = 4
"""The looks of a bot for opponents in that time, each with a lower bar."""
_EVEN_LOOKS: Final = 4 * _LOOKS
"""The looks of a bot after which others may join it at a kind that is far ahead for them.

That holds only if too few bots wait to fill the kinds that would come first for these others.
"""
_APART_LOOKS: Final = 60 * _LOOKS
"""The looks after which accounts that met too often may meet again: two minutes, with ``LONE_SECONDS``.

Two accomplices who are alone then play at most 30 matches an hour with each other. That is fewer than the quarter of
its matches that a bot may play with one account at any time, if it plays without a break: a match takes about 20 s.
"""


class Table(NamedTuple):
    """A table whose match begins."""

    kind: Kind
    seats: tuple[Waiting, ...]
    """The bots, in order of seats."""
    first: Waiting
    """The bot that looked for opponents."""
    waited_seconds: float
    """The seconds that it had waited."""
    bar: float
    """The least openness of a pairing with it, from 0 to 1."""
    drawn: tuple[Drawn, ...]
    """The bots that were drawn to play with it, in this order, with the probability of each."""
    information: float
    """The expected information of the match, in bits."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A waiting bot with its number, and the time since when it waits."""

    number: int
    waiting: Waiting
    since: float


class _Relaxation(NamedTuple):
    """The rules that do not bind a bot that has looked for long."""

    ahead: bool = False
    """Join bots for which the kind is far ahead of their others, if too few bots wait to fill those others."""
    again: bool = False
    """Join bots although accounts at the table have met too often."""


_STRICT: Final = _Relaxation()


class Unseated(NamedTuple):
    """A bot that could not be seated even with house bots."""

    waiting: Waiting
    waited_seconds: float
    why: str
    """The reason for each kind, as text."""


class Pool:
    """The waiting bots, and the choice of the next table.

    A bot that is seated leaves the pool; the caller adds it again while it has room for another match. Times are in
    seconds of any monotonic clock.
    """

    def __init__(self, kinds: Sequence[Kind], *, rng: Random, lone_seconds: float = LONE_SECONDS) -> None:
        """Begin with no bots.

        Args:
            kinds: the kinds of tables that are played.
            rng: the only source of randomness.
            lone_seconds: the seconds after which house bots fill up a table.

        Raises:
            ValueError: ``lone_seconds`` is not above zero.
        """
        if not lone_seconds > 0:
            raise ValueError(f"lone_seconds is {lone_seconds}, and has to be above zero")
        self._kinds: Final = tuple(kinds)
        self._rng: Final = rng
        self._lone_seconds: Final = lone_seconds
        self._past: Final = Past()
        self._turns: Final = AccountTurns(self._past)
        self._numbers: Final = count()
        self._places: Final[dict[Hashable, _Place]] = {}
        self._by_number: Final[dict[int, _Place]] = {}
        self._bots: Final = {kind: WaitingRoom(kind.game) for kind in self._kinds}
        self._house: Final = {kind: WaitingRoom(kind.game) for kind in self._kinds}
        self._looks: Final[list[tuple[float, int]]] = []
        self._expected: Final[set[int]] = set()
        """The numbers of the bots in ``_looks``, where each has one entry at most."""
        self._stuck: Final[dict[str, dict[int, None]]] = {}
        """The bots that could not be seated even with house bots, by account, the next to try first."""

    def __len__(self) -> int:
        """Return the number of waiting bots, house bots included."""
        return len(self._places)

    def __contains__(self, key: Hashable) -> bool:
        """Return True if the bot with this key waits."""
        return key in self._places

    def remember(self, kind: Kind, seats: Sequence[Seated]) -> None:
        """Note a table that began before this pool existed, in order of seats. Call it for the earliest first."""
        self._past.note(kind, seats)

    def add(self, waiting: Waiting, *, now: float) -> None:
        """Add a bot. One that waits already keeps its place, with its new data."""
        place = self._places.get(waiting.key)
        if place is not None:
            self._take_out(place)
            self._put(_Place(place.number, waiting, place.since))
            return
        place = _Place(next(self._numbers), waiting, now)
        self._put(place)
        if waiting.account:
            self._look_later(place, now)
        else:
            # One bot of each account looks again, by turns: else the account with the most bots would get most matches.
            for account, numbers in self._stuck.items():
                self._turns.add(account, next(iter(numbers)))

    def remove(self, key: Hashable) -> None:
        """Remove a bot, if it waits."""
        place = self._places.get(key)
        if place is not None:
            self._take_out(place)
            self._turns.discard(place.waiting.account, place.number)
            self._unstick(place)

    def next_table(self, now: float) -> Table | None:
        """Seat one more table and remove its bots, or return ``None`` if none can begin now."""
        while self._looks and self._looks[0][0] <= now:
            number = self._pop_look()
            if number in self._by_number:
                self._turns.add(self._by_number[number].waiting.account, number)
        while (turn := self._turns.take()) is not None:
            place = self._by_number[turn]
            table = self._table_for(place, now)
            if table is not None:
                self._seat(table)
                return table
            self._stick(place, now)
            self._look_later(place, now)
        return None

    def exhibition(self) -> Table | None:
        """Seat house bots alone, at a table of the kind that began longest ago; ``None`` if they are too few.

        As at any table, they leave the pool.
        """
        for kind in sorted(self._kinds, key=self._past.begun):
            house = self._house[kind].eligible(0.0, self._rng)
            if len(house) >= kind.seats:
                players = self._rng.sample(house, kind.seats)
                seats = in_order_of_seats(players, kind, past=self._past, rng=self._rng)
                table = Table(kind, seats, players[0], 0.0, 0.0, (), information_of(seats, kind))
                self._seat(table)
                return table
        return None

    def unseated(self, now: float) -> Iterator[Unseated]:
        """Yield the bots that could not be seated even with house bots, each with the reason."""
        for number in chain.from_iterable(self._stuck.values()):
            place = self._by_number[number]
            why = "; ".join(self._missing(place.waiting, kind) for kind in self._kinds_of(place.waiting))
            yield Unseated(place.waiting, max(0.0, now - place.since), why)

    def _missing(self, waiting: Waiting, kind: Kind) -> str:
        """Return the reason that a bot cannot be seated at a kind of table."""
        if not self._has_enough(waiting, kind):
            accounts, house = self._bots[kind].different(waiting), self._house[kind].different(waiting)
            return f"{kind.game} takes {kind.seats}: {accounts} other accounts and {house} house bots are available"
        seconds = _APART_LOOKS / _LOOKS * self._lone_seconds
        return f"{kind.game}: the waiting bots have met too often recently, and play each other after {seconds:g} s"

    def wake_at(self) -> float:
        """Return the time at which a table may begin although no bot comes or goes; infinity for never.

        It is valid after ``next_table`` has returned ``None``.
        """
        if self._turns:
            return -math.inf
        while self._looks and self._looks[0][1] not in self._by_number:
            self._pop_look()
        return self._looks[0][0] if self._looks else math.inf

    def _table_for(self, place: _Place, now: float) -> Table | None:
        first = place.waiting
        waited, look = max(0.0, now - place.since), self._look(place, now)
        bar = 1 - min(_LOOKS, look) / _LOOKS
        for relaxation in _relaxations(look):
            for kind in self._kinds_for(first, lone=not bar):
                found = self._found(first, kind, bar, relaxation)
                if len(found) == kind.seats - 1:
                    players = [first, *(one.waiting for one in found)]
                    seats = in_order_of_seats(players, kind, past=self._past, rng=self._rng)
                    return Table(kind, seats, first, waited, bar, tuple(found), information_of(seats, kind))
        return None

    def _kinds_for(self, waiting: Waiting, *, lone: bool) -> Iterator[Kind]:
        """Yield the kinds that a bot plays, least played first; unless ``lone``, without those that are far ahead."""
        kinds = self._kinds_of(waiting)
        for kind in sorted(kinds, key=lambda kind: (self._past.played(waiting.name, kind), self._past.begun(kind))):
            if lone or self._is_due(waiting, kind):
                yield kind

    def _kinds_of(self, waiting: Waiting) -> list[Kind]:
        return [kind for kind in self._kinds if kind.game in waiting.strengths]

    def _is_due(self, waiting: Waiting, kind: Kind, relaxation: _Relaxation = _STRICT) -> bool:
        """Return True unless a kind is so far ahead for a bot that its other kinds come first."""
        if len(self._kinds) == 1 or relaxation.again:
            return True
        kinds = [other for other in self._kinds_of(waiting) if not relaxation.ahead or self._has_enough(waiting, other)]
        fewest = min((self._past.played(waiting.name, other) for other in kinds), default=0)
        return not kinds or self._past.played(waiting.name, kind) - fewest < MOST_AHEAD

    def _has_enough(self, waiting: Waiting, kind: Kind) -> bool:
        """Return True if enough accounts wait for a table with a bot, apart from past meetings."""
        return 1 + self._bots[kind].different(waiting) + self._house[kind].different(waiting) >= kind.seats

    def _found(self, first: Waiting, kind: Kind, bar: float, relaxation: _Relaxation) -> list[Drawn]:
        elo = first.strengths[kind.game].elo
        bots = [one for one in self._bots[kind].eligible(elo, self._rng) if self._is_due(one, kind, relaxation)]
        found = drawn([first], bots, kind, bar=bar, past=self._past, rng=self._rng, again=relaxation.again)
        if len(found) == kind.seats - 1 or bar:
            return found
        seated = [first, *(one.waiting for one in found)]
        house = self._house[kind].eligible(elo, self._rng)
        return found + drawn(seated, house, kind, bar=bar, past=self._past, rng=self._rng)

    def _seat(self, table: Table) -> None:
        for one in table.seats:
            self.remove(one.key)
        self._past.note(table.kind, [one.seated for one in table.seats])

    def _look(self, place: _Place, now: float) -> int:
        """Return the number of looks that are due to a bot by now."""
        # 1e-6 of a look makes up for rounding, which must not cost a look.
        return int((now - place.since) * _LOOKS / self._lone_seconds + 1e-6)

    def _pop_look(self) -> int:
        _, number = heappop(self._looks)
        self._expected.discard(number)
        return number

    def _look_later(self, place: _Place, now: float) -> None:
        if place.number in self._expected:
            return
        self._expected.add(place.number)
        look = max(0, self._look(place, now)) + 1
        heappush(self._looks, (place.since + look * self._lone_seconds / _LOOKS, place.number))

    def _stick(self, place: _Place, now: float) -> None:
        self._unstick(place)
        if self._look(place, now) >= _LOOKS:
            self._stuck.setdefault(place.waiting.account, {})[place.number] = None

    def _unstick(self, place: _Place) -> None:
        numbers = self._stuck.get(place.waiting.account, {})
        numbers.pop(place.number, None)
        if not numbers:
            self._stuck.pop(place.waiting.account, None)

    def _put(self, place: _Place) -> None:
        self._places[place.waiting.key] = self._by_number[place.number] = place
        for room in self._rooms(place.waiting):
            room.add(place.number, place.waiting)

    def _take_out(self, place: _Place) -> None:
        del self._places[place.waiting.key], self._by_number[place.number]
        for room in self._rooms(place.waiting):
            room.remove(place.number, place.waiting)

    def _rooms(self, waiting: Waiting) -> Iterator[WaitingRoom]:
        rooms = self._bots if waiting.account else self._house
        return (room for kind, room in rooms.items() if kind.game in waiting.strengths)


def _relaxations(look: int) -> Iterator[_Relaxation]:
    """Yield the relaxations that a bot may try at a look, strictest first."""
    yield _STRICT
    if look >= _EVEN_LOOKS:
        yield _Relaxation(ahead=True)
    if look >= _APART_LOOKS:
        yield _Relaxation(ahead=True, again=True)
