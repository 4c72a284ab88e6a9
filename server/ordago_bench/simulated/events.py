"""Simulated events of known strengths, to test the ladder on.

A performance is a strength plus noise, and the better performance wins, so that each single pairing follows the rating
model. The noise has three parts: the deal, which favours one side in all matches of a set; the affinity of an entrant
for a deal, in any seat; and the rest.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordago_ladder.rating.fit import ELO, Floats, Integers
from ordago_ladder.rating.results import Kind, Pairing

_DEAL_SHARE: Final = 0.3
"""The share of the deal in the variance of the noise."""
_TASTE_SHARE: Final = 0.2
"""The share of the affinity of an entrant for a deal."""
_MOST_IN_ALL_SEATINGS: Final = 3
_ERROR_FUNCTION: Final = np.vectorize(math.erf, otypes=[float])


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSort:
    """A kind of simulated event."""

    name: str
    strengths: tuple[float, ...]
    """The strengths in Elo of the entrants a, b, c and so on."""
    sides: int
    tied: float = 0.0
    """The share of pairings that are ties in any case; only for equally strong entrants."""
    hopeless: str = ""
    """The entrants whose own intervals are not counted."""

    @property
    def names(self) -> str:
        """The names of the entrants, one letter each."""
        return "abcdefgh"[: len(self.strengths)]

    @property
    def strength_of(self) -> dict[str, float]:
        """The strength of each entrant, in Elo."""
        return dict(zip(self.names, self.strengths, strict=True))


def simulated(sort: EventSort, *, sets_of_each: int, seed: int) -> list[Pairing]:
    """Return the pairings of an event in which every entrant plays at least about ``sets_of_each`` sets."""
    random = np.random.RandomState(seed)
    tables = list(itertools.combinations(sort.names, sort.sides))
    random.shuffle(tables)
    number = math.ceil(sets_of_each * len(sort.names) / sort.sides)
    return [
        pairing
        for row, table in zip(range(number), itertools.cycle(tables), strict=False)
        for pairing in _set(sort, table, f"game|{','.join(table)}|{row:05}", random)
    ]


def _set(sort: EventSort, table: tuple[str, ...], set_key: str, random: np.random.RandomState) -> Iterator[Pairing]:
    seatings = _seatings(sort.sides, random)
    by_side, by_entrant = random.standard_normal((2, sort.sides))
    luck = math.sqrt(_DEAL_SHARE) * by_side + math.sqrt(_TASTE_SHARE) * by_entrant[seatings]
    luck += math.sqrt(1 - _DEAL_SHARE - _TASTE_SHARE) * random.standard_normal(seatings.shape)
    strengths = np.array([sort.strength_of[name] for name in table])
    performances = strengths[seatings] / ELO + _gumbel(luck)
    for seating, performed in zip(seatings.tolist(), performances.tolist(), strict=True):
        for side, other in itertools.combinations(range(sort.sides), 2):
            tied = random.random_sample() < sort.tied
            half_points = 1 if tied else 2 * int(performed[side] > performed[other])
            first, second = (table[seating[side]],), (table[seating[other]],)
            yield Pairing(Kind("game", first, second, side, other), set_key, half_points, rated=True)


def _seatings(sides: int, random: np.random.RandomState) -> Integers:
    """Return the seatings of a set, as in events: all of three sides or fewer, otherwise the rotations of a circle."""
    if sides <= _MOST_IN_ALL_SEATINGS:
        return np.array(list(itertools.permutations(range(sides))))
    circle = random.permutation(sides)
    return np.array([np.roll(circle, -start) for start in range(sides)])


def _gumbel(normal: Floats) -> Floats:
    """Transform normal noise into Gumbel noise, which orders any two as in the Bradley-Terry model."""
    shares = np.clip((1 + _ERROR_FUNCTION(normal / math.sqrt(2))) / 2, 1e-12, 1 - 1e-12)
    gumbel: Floats = -np.log(-np.log(shares))
    return gumbel
