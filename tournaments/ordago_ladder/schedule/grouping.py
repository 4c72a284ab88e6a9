"""Who sits with whom: entrants are put to tables so that those meet who should.

All is reckoned in whole numbers, so that every machine finds the same.
"""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Costs: TypeAlias = NDArray[np.int64]
"""What it costs that the one meets the other, for each two entrants by their numbers; the same both ways."""
Need: TypeAlias = Sequence[tuple[Fraction | float, ...]]
"""How much each entrant needs to play, by their numbers; the least needs it most."""

_SEED: Final = 1
"""What is tried by chance is the same every time."""
_BENCH: Final = -1
"""Where those sit who do not play."""


class Pool(NamedTuple):
    """Entrants of whom equally many sit at every table."""

    members: tuple[int, ...]
    """The entrants by their numbers."""
    seats: int
    """How many of them sit at a table."""


def group(costs: Costs, need: Need, *, pools: Sequence[Pool], tables: int, trials: int = 0) -> list[tuple[int, ...]]:
    """Return the entrants of each of some tables, so that all meetings together cost little.

    Those play who need it most; those who need it equally are chosen so that it costs less. Whoever is next is put to
    the table where he costs least, and then two change places, as long as that makes it cheaper.

    Args:
        costs: what meetings cost; nothing at least.
        need: how much each entrant needs to play.
        pools: the entrants who can be put to tables.
        tables: the number of tables.
        trials: how often three change places at once, for better or worse, to see whether that leads to something
            better.
    """
    costs = costs.copy()
    np.fill_diagonal(costs, 0)  # Nobody meets himself.
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
    """Put entrants to the tables, one table after the other."""
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
    """Return the places after three have changed theirs in a circle, the first of them from among the dearest."""
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
    """Who can change places with whom."""

    playing: NDArray[np.bool_]
    """Where both play."""
    benched: NDArray[np.bool_]
    """Where one of them does not."""


def _exchangeable(need: Need, pools: Sequence[Pool]) -> _Exchangeable:
    kind = np.full(len(need), _BENCH)
    for number, pool in enumerate(pools):
        kind[list(pool.members)] = number
    levels = {level: number for number, level in enumerate(sorted(set(need)))}
    level = np.array([levels[one] for one in need])
    playing = (kind[:, None] == kind) & (kind != _BENCH)
    return _Exchangeable(playing, playing & (level[:, None] == level))


def _improve(places: NDArray[np.int64], costs: Costs, *, exchangeable: _Exchangeable, tables: int) -> None:
    """Let two change places, those first with whom it saves most, as long as it saves anything."""
    # What each entrant costs at each table; at the bench, the last one, nothing.
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
    """Return who should change places, and what that saves; nothing if there is nobody."""
    plays = places != _BENCH
    own = at_table[np.arange(len(places)), places]
    # One of the two has to cost something where he sits.
    dear = np.flatnonzero(own)
    # Whoever takes the place of somebody does not meet him there.
    there = np.where(plays, at_table[dear][:, places] - costs[dear], 0)
    back = at_table[:, places[dear]].T - costs[dear]
    saved = own[dear, None] + own - there - back
    allowed = np.where(plays, exchangeable.playing[dear], exchangeable.benched[dear])
    saved[~allowed | (places[dear, None] == places)] = 0
    if not saved.any():
        return 0, 0, 0
    first, second = np.unravel_index(np.argmax(saved), saved.shape)
    return int(dear[first]), int(second), int(saved[first, second])
