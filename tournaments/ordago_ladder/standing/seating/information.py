"""How much a match is expected to tell of the strengths of those who play it."""

import math
from collections.abc import Sequence
from typing import Final

from ordago_ladder.fit import ELO
from ordago_ladder.intervals import NORMAL_95
from ordago_ladder.standing.seating.participants import Strength

_PROBIT: Final = math.pi / 8
"""The square of what a normal variable is multiplied with so that its distribution is nearly the logistic one."""


def openness(one: Sequence[Strength], other: Sequence[Strength]) -> float:
    """Return how open a pairing of two sides is, from 0 to 1, where either is as likely to win as the other."""
    return _openness(*_difference(one, other))


def information(one: Sequence[Strength], other: Sequence[Strength]) -> float:
    """Return how many bits a pairing of two sides is expected to tell of the difference of their strengths.

    It is what a normal distribution of the difference loses by one result in the model of the ratings. The strength of
    a side is the mean of those of its partners.
    """
    difference, variance = _difference(one, other)
    return math.log2(1 + variance * _openness(difference, variance) / 4) / 2


def _openness(difference: float, variance: float) -> float:
    # What is not known of the strengths makes the result less certain.
    share = 1 / (1 + math.exp(-abs(difference) / math.sqrt(1 + _PROBIT * variance)))
    return 4 * share * (1 - share)


def _difference(one: Sequence[Strength], other: Sequence[Strength]) -> tuple[float, float]:
    """Return the expected difference of two sides and its variance, in the unit of the fit."""
    mean_one, variance_one = _side(one)
    mean_other, variance_other = _side(other)
    return mean_one - mean_other, variance_one + variance_other


def _side(partners: Sequence[Strength]) -> tuple[float, float]:
    mean = sum(strength.elo for strength in partners) / ELO / len(partners)
    variance = sum((strength.half_width / NORMAL_95 / ELO) ** 2 for strength in partners) / len(partners) ** 2
    return mean, variance
