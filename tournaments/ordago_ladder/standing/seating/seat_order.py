"""Order of seats: partners so that the match tells most, then seats so that each bot has all of them equally often."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import fsum
from random import Random
from typing import Final

from ordago_ladder.standing.seating.pairing_draw import information, together
from ordago_ladder.standing.seating.participants import Kind, Waiting
from ordago_ladder.standing.seating.past import Past

_DECIMALS: Final = 9
"""The decimals to which two ways to share out partners are compared: far coarser than rounding errors."""


def in_order_of_seats(players: Sequence[Waiting], kind: Kind, *, past: Past, rng: Random) -> tuple[Waiting, ...]:
    """Return the players in order of seats.

    Partners are chosen so that the match tells most. Then the seats are chosen that their players had least often, in
    sum over the table; chance decides between equal orders. House bots have no memory of seats.
    """
    ways = _ways(kind.sides)
    information = [round(information_of([players[number] for number in way[0]], kind), _DECIMALS) for way in ways]
    most = max(information)
    orders = [order for way, bits in zip(ways, information, strict=True) if bits == most for order in way]
    sat = [past.seats(one.name, kind) for one in players]
    often = [sum([sat[number][seat] for seat, number in enumerate(order)]) for order in orders]
    fewest = min(often)
    least = [order for order, times in zip(orders, often, strict=True) if times == fewest]
    return tuple(players[number] for number in least[int(rng.random() * len(least))])


@cache
def _ways(sides: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all orders of the players, grouped by partners: the orders of a group have the same ones."""
    ways: defaultdict[frozenset[frozenset[int]], list[tuple[int, ...]]] = defaultdict(list)
    for order in permutations(range(len(sides))):
        partners = defaultdict(set)
        for player, side in zip(order, sides, strict=True):
            partners[side].add(player)
        ways[frozenset(map(frozenset, partners.values()))].append(order)
    return tuple(map(tuple, ways.values()))


def information_of(order: Sequence[Waiting], kind: Kind) -> float:
    """Return the expected information of a match in bits, summed over the pairings of its sides."""
    sides = [
        together([one.strengths[kind.game] for one, side in zip(order, kind.sides, strict=True) if side == number])
        for number in range(max(kind.sides) + 1)
    ]
    return fsum(information(one, other) for number, one in enumerate(sides) for other in sides[:number])
