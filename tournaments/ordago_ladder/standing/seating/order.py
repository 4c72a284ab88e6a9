"""Who sits where: sides as even as they can be, and everybody where he sat least often."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from ordago_ladder.standing.seating.information import information
from ordago_ladder.standing.seating.participants import Kind, Waiting
from ordago_ladder.standing.seating.past import Past

_DECIMALS: Final = 9
"""Far above what rounding can do: by them it is told whether two ways to share out partners tell as much."""


def in_order_of_seats(players: Sequence[Waiting], kind: Kind, *, past: Past, rng: Random) -> tuple[Waiting, ...]:
    """Return the players in order of seats.

    Partners are shared out so that the match tells most; then everybody sits where he sat least often, all in all, and
    where that leaves a choice, chance decides. Where house bots sit does not matter.
    """
    orders = list(permutations(players))
    if kind.has_partners:
        told = [round(told_by(order, kind), _DECIMALS) for order in orders]
        orders = [order for order, bits in zip(orders, told, strict=True) if bits == max(told)]
    sat = {one.key: past.seats(one.name, kind) for one in players}
    often = [sum(sat[one.key][seat] for seat, one in enumerate(order)) for order in orders]
    least = [order for order, times in zip(orders, often, strict=True) if times == min(often)]
    return least[int(rng.random() * len(least))]


def told_by(order: Sequence[Waiting], kind: Kind) -> float:
    """Return how many bits a match is expected to tell, pairing by pairing of its sides."""
    sides = [
        [one.strengths[kind.game] for one, side in zip(order, kind.sides, strict=True) if side == number]
        for number in range(max(kind.sides) + 1)
    ]
    return sum(information(one, other) for number, one in enumerate(sides) for other in sides[:number])
