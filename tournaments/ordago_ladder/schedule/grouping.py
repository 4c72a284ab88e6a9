"""Group entrants into tables so that the total cost of their meetings is low.

A greedy start is improved by exchanges of two entrants, then by random exchanges of three (local search with
restarts from the best). All arithmetic is in whole numbers, so that every machine finds the same tables.
"""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Costs: TypeAlias = NDArray[np.int64]
"""The cost of a meeting of each pair of entrants, by their numbers: a symmetric matrix of values of 0 or more."""
Need: TypeAlias = Sequence[tuple[Fraction | float, ...]]
"""A sort key for each entrant, by number: entrants with the lowest keys play first."""

_SEED: Final = 1
"""A fixed seed, so that the random exchanges are the same every time."""
_BENCH: Final = -1
"""The table number of entrants that do not play."""


class Pool(NamedTuple):
    """A group of entrants. Every table has the same number of them."""

    members: tuple[int, ...]
    """The numbers of the entrants."""
    seats: int
    """The number of them at each table."""


def group(costs: Costs, need: Need, *, pools: Sequence[Pool], tables: int, trials: int = 0) -> list[tuple[int, ...]]:
    """Return the entrants of each table, chosen so that all meetings together cost little.

    The entrants with the lowest keys play; among equal keys the choice lowers the cost. Tables are filled one after the
    other, each with the entrants that cost least there. Then two entrants change places as long as that saves anything.

    Args:
        costs: the costs of meetings, 0 or more.
        need: the sort key of each entrant; lowest first.
        pools: the entrants that can be put to tables.
        tables: the number of tables.
        trials: the number of random exchanges of three entrants; the search goes on from one unless it ends up
            costlier.
    """
    costs = costs.copy()
    np.fill_diagonal(costs, 0)  # An entrant does not meet itself.
    places = np.full(len(need), _BENCH)
    for pool in pools:
        chosen = sorted(pool.members, key=lambda member: (need[member], member))[: pool.seats * tables]
        _seat(places, costs, chosen, tables=tables, seats=pool.seats)
    exchangeable = _exchangeable(need, pools)
    _improve(places, costs, exchangeable=exchangeable, tables=tables)
    chance = Random(_SEED)
    for _ in range(trials if _total(places, costs) else 0):
        tried = _stirred(places, costs, exchangeable.playing, chance)
        _improve(tried, costs, exchangeable=exchangeable, tables=tables)
        if _total(tried, costs) <= _total(places, costs):
            places = tried
    return [tuple(int(member) for member in np.flatnonzero(places == table)) for table in range(tables)]


def _seat(places: NDArray[np.int64], costs: Costs, chosen: list[int], *, tables: int, seats: int) -> None:
    """Fill one table after the other, each time with the entrant that costs least there."""
    left = np.array(chosen)
    for table in range(tables):
        cost = costs[:, places == table].sum(axis=1)
        for _ in range(seats):
            next_one = int(np.argmin(cost[left]))
            member, left = left[next_one], np.delete(left, next_one)
            places[member] = table
            cost += costs[member]


def _stirred(
    places: NDArray[np.int64], costs: Costs, exchangeable: NDArray[np.bool_], chance: Random
) -> NDArray[np.int64]:
    """Return the places after a random exchange of three entrants, the first of them among the costliest."""
    own = np.where(places != _BENCH, (costs * (places[:, None] == places)).sum(axis=1), _BENCH)
    first = _drawn(np.flatnonzero(own == own.max()), chance)
    others = np.flatnonzero((places != _BENCH) & (places != places[first]) & exchangeable[first])
    stirred = places.copy()
    if len(others):
        second = _drawn(others, chance)
        third = _drawn(others, chance)
        stirred[[first, second]] = places[[second, first]]
        stirred[[second, third]] = stirred[[third, second]]
    return stirred


def _drawn(members: NDArray[np.int64], chance: Random) -> int:
    return int(members[int(chance.random() * len(members))])


def _total(places: NDArray[np.int64], costs: Costs) -> int:
    return int((costs * ((places[:, None] == places) & (places != _BENCH))).sum())


class _Exchangeable(NamedTuple):
    """Pairs of entrants that may change places, as boolean matrices."""

    playing: NDArray[np.bool_]
    """True for two of the same pool: they may change places where both play."""
    benched: NDArray[np.bool_]
    """True for two of the same pool and with the same need: they may also change places where one does not play."""


def _exchangeable(need: Need, pools: Sequence[Pool]) -> _Exchangeable:
    kind = np.full(len(need), _BENCH)
    for number, pool in enumerate(pools):
        kind[list(pool.members)] = number
    levels = {level: number for number, level in enumerate(sorted(set(need)))}
    level = np.array([levels[one] for one in need])
    playing = (kind[:, None] == kind) & (kind != _BENCH)
    return _Exchangeable(playing, playing & (level[:, None] == level))


def _improve(places: NDArray[np.int64], costs: Costs, *, exchangeable: _Exchangeable, tables: int) -> None:
    """Make the exchange of two entrants that saves most, as long as one saves anything."""
    # The cost of each entrant at each table. The last column, which _BENCH indexes, is 0: not playing costs nothing.
    at_table = np.zeros((len(places), tables + 1), dtype=np.int64)
    for table in range(tables):
        at_table[:, table] = costs[:, places == table].sum(axis=1)
    while True:
        first, second, saved = _best_exchange(places, costs, at_table, exchangeable)
        if saved <= 0:
            return
        for member, other in ((first, second), (second, first)):
            if places[member] != _BENCH:
                at_table[:, places[member]] += costs[:, other] - costs[:, member]
        places[first], places[second] = places[second], places[first]


def _best_exchange(
    places: NDArray[np.int64], costs: Costs, at_table: NDArray[np.int64], exchangeable: _Exchangeable
) -> tuple[int, int, int]:
    """Return the two entrants whose exchange saves most, and how much; three zeros if none saves anything."""
    plays = places != _BENCH
    own = at_table[np.arange(len(places)), places]
    # An exchange can only save where one of the two costs something at its table.
    dear = np.flatnonzero(own)
    # An entrant that takes the place of another does not meet it there.
    there = np.where(plays, at_table[dear][:, places] - costs[dear], 0)
    back = at_table[:, places[dear]].T - costs[dear]
    saved = own[dear, None] + own - there - back
    allowed = np.where(plays, exchangeable.playing[dear], exchangeable.benched[dear])
    saved[~allowed | (places[dear, None] == places)] = 0
    if not saved.any():
        return 0, 0, 0
    first, second = np.unravel_index(np.argmax(saved), saved.shape)
    return int(dear[first]), int(second), int(saved[first, second])
