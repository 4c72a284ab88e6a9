"""Who plays whom on a standing ladder: simulated, beside other ways to seat those who wait."""

import time
from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from ordago_bench.seating.simulated_ladder import SeatingFigures, Simulation
from ordago_bench.seating.simulated_strengths import MEAN, SPREAD, Rated
from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Pool, Waiting

_GIFT_MATCHES: Final = 200
"""So many matches each bot plays in a ladder with gifts: enough for its rating to settle."""


class GiftFigures(NamedTuple):
    """What two accomplices of two accounts come to, of whom the one loses to the other whenever they meet."""

    bots: int
    met: float
    """The share of the second's account in the pairings of the first."""
    gained: float
    """Points of Elo that the first has more in the end than in the same ladder without gifts."""


def measure_seating(*, kind: Kind, bots: int, matches: int, seed: int, way: str = "ladder") -> SeatingFigures:
    """Simulate a ladder until its bots have played some matches each, and say what came of it.

    Args:
        kind: what is played.
        bots: how many there are; each account has two.
        matches: how many matches a bot plays, on average.
        seed: decides everything but the time of the processor.
        way: one of ``WAYS``.
    """
    simulation = Simulation(kind, bots=bots, seed=seed, way=way)
    simulation.run(tables=bots * matches // kind.seats)
    return simulation.figures()


def measure_gifts(*, kind: Kind, bots: int, seeds: Sequence[int]) -> GiftFigures:
    """Simulate ladders with gifts and without, and say what they come to, on average."""
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
    """Return how many microseconds of a processor a table takes where all wait at once, each of another account."""
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
