"""Intervals of 95 % for values whose variance is itself only estimated, by Student's distribution."""

import math
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import Floats

NORMAL_95: Final = 1.959964
"""Standard deviations from the centre to either end of a 95 % interval of the normal distribution."""
_NORMAL: Final = NormalDist()


class Interval(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def student_95(freedom: Floats) -> Floats:
    """Return the standard deviations from the centre to either end of an interval, for two or more degrees of freedom.

    It inverts Wallace's approximation: right to 1 % from three degrees of freedom on, and 4 % too long with two.
    """
    z = NORMAL_95 * (8 * freedom + 3) / (8 * freedom + 1)
    deviations: Floats = np.sqrt(freedom * np.expm1(z * z / freedom))
    return deviations


def likelihood_above_zero(value: float, deviation: float, freedom: float) -> float:
    """Return the likelihood that the true value is above zero, for an estimate with its standard deviation.

    It is 97.5 % where the interval of ``student_95`` begins at zero.
    """
    if deviation == 0:
        return 0.5 * (1 + (value > 0) - (value < 0))
    t = abs(value) / deviation
    z = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
    return _NORMAL.cdf(math.copysign(z, value))
