"""How much a match is expected to tell of the strengths of those who play it."""

import math
from collections.abc import Sequence
from typing import Final

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.seating.participants import KnownStrength

_DEVIATION: Final = NORMAL_95 * ELO
"""The half width of a strength whose standard deviation is 1 in the unit of the fit."""
_PROBIT: Final = math.pi / 8
"""The square of what a normal variable is multiplied with so that its distribution is nearly the logistic one."""

_WIDE: Final = 8
"""What the variance is divided by to weigh a result less where much is unknown; it cannot tell more than a bit."""


def together(partners: Sequence[KnownStrength]) -> KnownStrength:
    """Return what is known of the strength of a side: the mean of those of its partners."""
    elo = math.fsum(strength.elo for strength in partners) / len(partners)
    return KnownStrength(elo, math.hypot(*(strength.half_width for strength in partners)) / len(partners))


def openness(one: KnownStrength, other: KnownStrength) -> float:
    """Return how open a pairing is, from 0 to 1, where either is as likely to win as the other."""
    return _openness(one.elo - other.elo, _variance(one, other))


def information(one: KnownStrength, other: KnownStrength) -> float:
    """Return how many bits a pairing is expected to tell of the difference of two strengths.

    It is what result and difference have in common in the model of the ratings, to within 15 % up to 400 points of Elo
    apart, by a formula that is quick: for narrow intervals what a normal distribution loses by one result.
    """
    variance = _variance(one, other)
    weight = _openness(one.elo - other.elo, variance) / 4 / (1 + variance / _WIDE)
    return math.log2(1 + variance * weight) / 2


def _openness(elo: float, variance: float) -> float:
    # What is not known of the strengths makes the result less certain.
    share = 1 / (1 + math.exp(-abs(elo) / ELO / math.sqrt(1 + _PROBIT * variance)))
    return 4 * share * (1 - share)


def _variance(one: KnownStrength, other: KnownStrength) -> float:
    """Return the variance of the difference, in the unit of the fit."""
    return (one.half_width * one.half_width + other.half_width * other.half_width) / (_DEVIATION * _DEVIATION)
