"""A simulated standing ladder, whose bots connect, play and leave."""

import heapq
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import mean, median
from typing import Final, NamedTuple

from ordago_bench.seating.rival_pools import AnyPool, RivalPool, anybody, the_nearest
from ordago_bench.seating.simulated_strengths import MEAN, SPREAD, Rated, play, sides_of
from ordago_ladder.standing.seating import Kind, Pool, Waiting

_COMING_SECONDS: Final = 60.0
"""The time within which all bots first connect."""
_MATCH_SECONDS: Final = 20.0
"""The median duration of a match."""
_MATCH_SPREAD: Final = 0.5
"""The standard deviation of the logarithm of the duration."""
_LEAVING: Final = 0.05
"""The probability that a bot leaves after a match."""
_AWAY_SECONDS: Final = 300.0
"""The mean time until it returns."""
_HOUSE: Final = (900.0, 1150.0, 1400.0, 1500.0, 1600.0, 1850.0, 2100.0)
"""The strengths of house bots, which can play any number of matches."""
_ENOUGH: Final = 16
"""The fewest pairings of a bot that counts for ``most_of_one``."""

WAYS: Final = ("ladder", "random", "nearest")
"""The methods of matchmaking."""


class SeatingFigures(NamedTuple):
    """The figures of one method of matchmaking."""

    bots: int
    way: str
    tables: int
    waited_median_s: float
    waited_p99_s: float
    waited_most_s: float
    opponents: float
    """The distinct opponents of a bot per pairing, accounts and house bots counted."""
    most_of_one: float
    """The largest share of one account in the pairings of a bot with at least 16 pairings."""
    difference_median: float
    """The median difference of the true strengths of two opponents, without house bots, in Elo."""
    difference_p90: float
    """The 90th percentile of that difference."""
    bits: float
    """The mean information of a match about the strengths, in bits."""
    error: float
    """The root mean square error of the ratings at the end, in Elo."""
    seats_off: float
    """The largest excess of a bot's matches in one seat over an even share."""
    house: float
    """The share of matches with house bots."""
    cpu_us: float
    """The CPU time per table, in microseconds."""


@dataclass(slots=True)
class _History:
    """The opponents and seats of a bot so far."""

    met: Counter[str] = field(default_factory=Counter)
    """The pairings by opposing account, or by the name of a house bot."""
    seats: Counter[int] = field(default_factory=Counter)


class Simulation:
    """A ladder whose bots connect, play and leave."""

    def __init__(self, kind: Kind, *, bots: int, seed: int, way: str = "ladder", gifts: bool = False) -> None:
        """Begin with no bots connected.

        With gifts, the third bot loses to the first whenever the two are opponents.
        """
        self._kind: Final = kind
        self._way: Final = way
        self._gifts: Final = gifts
        self._rng: Final = Random(f"{seed} play")
        self._pool: Final = _pool(kind, way, Random(f"{seed} seating"))
        self.bots: Final = [
            Rated(f"bot {number}", f"author {number // 2}", self._rng.gauss(MEAN, SPREAD)) for number in range(bots)
        ]
        """The bots."""
        self.histories: Final = [_History() for _ in self.bots]
        self._house: Final = {f"house {elo:.0f}": Rated(f"house {elo:.0f}", "", elo, elo, 0.0) for elo in _HOUSE}
        self._coming: Final = [(self._rng.random() * _COMING_SECONDS, number) for number in range(bots)]
        heapq.heapify(self._coming)
        self._since: Final[dict[int, float]] = {}
        self._waited: Final[list[float]] = []
        self._differences: Final[list[float]] = []
        self._bits: Final[list[float]] = []
        self._with_house = 0
        self._cpu_s = 0.0

    def run(self, *, tables: int) -> None:
        """Run until a number of tables have begun in all."""
        for house in self._house.values():
            self._add(house.name, house, 0.0)
        while len(self._bits) < tables:
            now = min(self._coming[0][0] if self._coming else math.inf, self._pool.wake_at())
            while self._coming and self._coming[0][0] <= now:
                number = heapq.heappop(self._coming)[1]
                self._since[number] = now
                self._add(number, self.bots[number], now)
            began = time.process_time()
            table = self._pool.next_table(now)
            while table is not None:
                self._cpu_s += time.process_time() - began
                self._begin(table.seats, now)
                began = time.process_time()
                table = self._pool.next_table(now) if len(self._bits) < tables else None
            self._cpu_s += time.process_time() - began

    def _add(self, key: int | str, rated: Rated, now: float) -> None:
        waiting = Waiting(key=key, name=rated.name, account=rated.account, strengths={self._kind.game: rated.known})
        began = time.process_time()
        self._pool.add(waiting, now=now)
        self._cpu_s += time.process_time() - began

    def _begin(self, seats: Sequence[Waiting], now: float) -> None:
        """Play a match: ratings are updated immediately, but its players return to the pool at its end."""
        players = [self.bots[one.key] if isinstance(one.key, int) else self._house[one.name] for one in seats]
        self._with_house += any(not one.account for one in players)
        self._note(players, now)
        self._bits.append(self._played(players))
        ends = now + _MATCH_SECONDS * math.exp(self._rng.gauss(0.0, _MATCH_SPREAD))
        for one, player in zip(seats, players, strict=True):
            if isinstance(one.key, int):
                away = self._rng.expovariate(1 / _AWAY_SECONDS) if self._rng.random() < _LEAVING else 0.0
                heapq.heappush(self._coming, (ends + away, one.key))
            else:
                self._add(one.name, player, now)

    def _note(self, players: Sequence[Rated], now: float) -> None:
        sides = sides_of(players, self._kind)
        for seat, one in enumerate(players):
            if not one.account:
                continue
            number = int(one.name.removeprefix("bot "))
            self._waited.append(now - self._since.pop(number))
            self.histories[number].seats[seat] += 1
            others = [other for side in sides if one not in side for other in side]
            self.histories[number].met.update(other.account or other.name for other in others)
            self._differences.extend(abs(one.strength - other.strength) for other in others if other.account)

    def _played(self, players: Sequence[Rated]) -> float:
        taker, giver = self.bots[0], self.bots[2]
        sides = sides_of(players, self._kind)
        against = [side for side in sides if taker in players and taker not in side]
        throws = self._gifts and any(giver in side for side in against)
        return play(sides, self._rng, loser=giver if throws else None)

    def figures(self) -> SeatingFigures:
        """Return the figures so far."""
        played = [history for history in self.histories if history.met]
        return SeatingFigures(
            bots=len(self.bots),
            way=self._way,
            tables=len(self._bits),
            waited_median_s=median(self._waited),
            waited_p99_s=_quantile(self._waited, 0.99),
            waited_most_s=max(self._waited),
            opponents=mean(len(history.met) / history.met.total() for history in played),
            most_of_one=max(most_of_one(history.met) for history in played),
            difference_median=median(self._differences or [0.0]),
            difference_p90=_quantile(self._differences or [0.0], 0.9),
            bits=mean(self._bits),
            error=math.sqrt(mean((bot.elo - bot.strength) ** 2 for bot in self.bots)),
            seats_off=max(_seats_off(history.seats, self._kind) for history in played),
            house=self._with_house / len(self._bits),
            cpu_us=1e6 * self._cpu_s / len(self._bits),
        )


def _pool(kind: Kind, way: str, rng: Random) -> AnyPool:
    if way == "ladder":
        return Pool([kind], rng=rng)
    return RivalPool(kind, anybody if way == "random" else the_nearest, rng=rng)


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def most_of_one(met: Counter[str]) -> float:
    """Return the share of the account that was met most often; 0 with fewer than 16 pairings."""
    times = max((times for who, times in met.items() if who.startswith("author")), default=0)
    return times / met.total() if met.total() >= _ENOUGH else 0.0


def _seats_off(seats: Counter[int], kind: Kind) -> float:
    return max(seats.values()) - seats.total() / kind.seats
