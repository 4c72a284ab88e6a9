"""Bots of known strength: their simulated results, and their ratings after each match."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.seating import Kind, KnownStrength

MEAN: Final = 1500.0
"""The mean of true strengths, and the rating of a newcomer, in Elo."""
SPREAD: Final = 300.0
"""The standard deviation of true strengths, and of the rating of a newcomer, in Elo."""
_PROBIT: Final = math.pi / 8
"""The factor in MacKay's approximation of a logistic function averaged over a normal distribution."""


@dataclass(slots=True)
class Rated:
    """A bot with its true strength and its rating."""

    name: str
    account: str
    """The account of its author; empty for a house bot, whose strength is known."""
    strength: float
    """The true strength, in Elo."""
    elo: float = MEAN
    variance: float = (SPREAD / ELO) ** 2
    """The variance of the rating, in the squared unit of the fit."""

    @property
    def known(self) -> KnownStrength:
        """The rating as matchmaking sees it."""
        return KnownStrength(self.elo, NORMAL_95 * ELO * math.sqrt(self.variance))


def sides_of(seats: Sequence[Rated], kind: Kind) -> list[list[Rated]]:
    """Return the players of each side."""
    sides: list[list[Rated]] = [[] for _ in range(max(kind.sides) + 1)]
    for one, side in zip(seats, kind.sides, strict=True):
        sides[side].append(one)
    return sides


def play(sides: Sequence[Sequence[Rated]], rng: Random, *, loser: Rated | None = None) -> float:
    """Play a match and rate each of its pairings. Return the information about the strengths, in bits.

    The better performance wins. Performances have Gumbel noise, so that the order of any two has the probability of
    the rating model. A ``loser`` loses on purpose.
    """
    performances = [_mean([one.strength for one in side]) / ELO - math.log(-math.log(rng.random())) for side in sides]
    performances = [-math.inf if loser in side else by for side, by in zip(sides, performances, strict=True)]
    return sum(
        _learn(one, other, won=performances[number] > performances[below])
        for number, one in enumerate(sides)
        for below, other in enumerate(sides[:number])
    )


def _learn(one: Sequence[Rated], other: Sequence[Rated], *, won: bool) -> float:
    """Update the ratings by the result of a pairing: one step of the fit, with the earlier ratings as its prior."""
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
