"""Bots of known strength, how they play, and what a ladder would know of them after each match."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.seating import Kind, KnownStrength

MEAN: Final = 1500.0
SPREAD: Final = 300.0
"""The standard deviation of true strengths, and of what is known of a newcomer, in points of Elo."""
_PROBIT: Final = math.pi / 8


@dataclass(slots=True)
class Rated:
    """A bot of a strength, and what is known of it."""

    name: str
    account: str
    """Empty for a house bot, whose strength is known."""
    strength: float
    """In points of Elo."""
    elo: float = MEAN
    variance: float = (SPREAD / ELO) ** 2
    """In the unit of the fit."""

    @property
    def known(self) -> KnownStrength:
        """What is known of its strength."""
        return KnownStrength(self.elo, NORMAL_95 * ELO * math.sqrt(self.variance))


def sides_of(seats: Sequence[Rated], kind: Kind) -> list[list[Rated]]:
    """Return who plays together, side by side."""
    sides: list[list[Rated]] = [[] for _ in range(max(kind.sides) + 1)]
    for one, side in zip(seats, kind.sides, strict=True):
        sides[side].append(one)
    return sides


def play(sides: Sequence[Sequence[Rated]], rng: Random, *, loser: Rated | None = None) -> float:
    """Play a match and rate it, each pairing by itself. Return how many bits it told of the strengths.

    The better performance wins; it has the chance by which each two are ordered as the model of the ratings says. A
    loser loses on purpose.
    """
    performances = [_mean([one.strength for one in side]) / ELO - math.log(-math.log(rng.random())) for side in sides]
    performances = [-math.inf if loser in side else by for side, by in zip(sides, performances, strict=True)]
    return sum(
        _learn(one, other, won=performances[number] > performances[below])
        for number, one in enumerate(sides)
        for below, other in enumerate(sides[:number])
    )


def _learn(one: Sequence[Rated], other: Sequence[Rated], *, won: bool) -> float:
    """Take the result of a pairing into what is known: one step of the fit with the ratings before as its prior."""
    difference = (_mean([each.elo for each in one]) - _mean([each.elo for each in other])) / ELO
    shares = [(each, 1 / len(one)) for each in one] + [(each, -1 / len(other)) for each in other]
    variance = sum(share * share * each.variance for each, share in shares)
    expected = 1 / (1 + math.exp(-difference / math.sqrt(1 + _PROBIT * variance)))
    weight = expected * (1 - expected) / (1 + expected * (1 - expected) * variance)
    surprise = (won - expected) / (1 + expected * (1 - expected) * variance)
    for each, share in shares:
        each.elo += ELO * share * each.variance * surprise
        each.variance -= share * share * each.variance**2 * weight
    return math.log2(1 + expected * (1 - expected) * variance) / 2


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
