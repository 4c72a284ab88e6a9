"""Figures of the matchmaking of a standing ladder, simulated and compared with other methods."""

import time
from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from ordago_bench.seating.simulated_ladder import SeatingFigures, Simulation
from ordago_bench.seating.simulated_strengths import MEAN, SPREAD, Rated
from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Pool, Waiting

_GIFT_MATCHES: Final = 200
"""The matches of each bot in a ladder with gifts: enough for its rating to settle."""


class GiftFigures(NamedTuple):
    """The gain from collusion between two accounts: a bot of one always loses to a bot of the other."""

    bots: int
    met: float
    """The share of the loser's account in the pairings of the winner."""
    gained: float
    """The rating gain of the winner over the same ladder without gifts, in Elo."""


def measure_seating(*, kind: Kind, bots: int, matches: int, seed: int, way: str = "ladder") -> SeatingFigures:
    """Simulate a ladder until its bots have played ``matches`` each, on average, and return its figures.

    Args:
        kind: the kind of table.
        bots: the number of bots; each account has two.
        matches: the mean number of matches of a bot.
        seed: determines everything except CPU times.
        way: the method of matchmaking, one of ``WAYS``.
    """
    simulation = Simulation(kind, bots=bots, seed=seed, way=way)
    simulation.run(tables=bots * matches // kind.seats)
    return simulation.figures()


def measure_gifts(*, kind: Kind, bots: int, seeds: Sequence[int]) -> GiftFigures:
    """Simulate ladders with and without gifts, and return mean figures over the seeds."""
    gained, met = [], []
    for seed in seeds:
        honest, crooked = (Simulation(kind, bots=bots, seed=seed, gifts=gifts) for gifts in (False, True))
        for simulation in (honest, crooked):
            simulation.run(tables=bots * _GIFT_MATCHES // kind.seats)
        gained.append(crooked.bots[0].elo - honest.bots[0].elo)
        pairings = crooked.histories[0].met
        met.append(pairings[crooked.bots[2].account] / pairings.total())
    return GiftFigures(bots, mean(met), mean(gained))


def measure_rush(*, kind: Kind, bots: int, seed: int) -> float:
    """Return the CPU time per table in microseconds when all bots wait at once, each of a different account."""
    rng = Random(seed)
    pool = Pool([kind], rng=rng)
    for number in range(bots):
        rated = Rated(f"bot {number}", f"author {number}", MEAN, rng.gauss(MEAN, SPREAD))
        known = {kind.game: rated.known}
        pool.add(Waiting(key=number, name=rated.name, account=rated.account, strengths=known), now=0.0)
    began, tables = time.process_time(), 0
    while pool.next_table(LONE_SECONDS) is not None:
        tables += 1
    return 1e6 * (time.process_time() - began) / tables
