"""Strengths of entrants by the results so far, and their uncertainty, in the Bradley-Terry model.

They decide who plays next, so every machine has to find the same: only operations that are rounded alike everywhere
are used, and sums are taken in whole numbers.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.schedule.meetings import Comparison

_ROUNDS: Final = 10
"""Iterations of the fit after each round. It starts from the strengths of the round before."""
_STRONGEST: Final = 1000.0
"""The greatest strength; the least is its inverse. 1 is the mean, and a factor of 10 is 400 Elo."""
_ONE: Final = 1 << 20
"""Terms are rounded to this part of 1, so that sums are exact in any order."""
_WEIGHT: Final = 60
"""The weight of a comparison at a table of two sides. At a table of n it is 3 / (n + 1) of that, since comparisons of
one table depend on each other; 60 keeps it whole."""
_HALF_WIDTH: Final = 1.96 * 400 / 2.302585092994046
"""Half a 95 % interval in Elo, for a variance of 1 of the logarithm of a strength."""

_Reals = NDArray[np.float64]


class Strengths:
    """Strengths of numbered entrants. Each begins with two ties against an opponent of strength 1."""

    def __init__(self, entrants: int) -> None:
        """Begin without results."""
        self._compared = np.zeros((entrants, entrants), dtype=np.int64)
        self._won = np.full(entrants, 2 * _WEIGHT, dtype=np.int64)
        self._strengths: _Reals = np.ones(entrants)

    def learn(self, comparisons: Iterable[tuple[int, int, int, int]]) -> None:
        """Fit again with comparisons: two entrants, the half points of the first, the number of sides at the table."""
        for first, second, half_points, sides in comparisons:
            weight = _WEIGHT * 3 // (sides + 1)
            self._compared[first, second] += weight
            self._compared[second, first] += weight
            self._won[first] += weight * half_points
            self._won[second] += weight * (2 - half_points)
        for _ in range(_ROUNDS):
            mine = self._strengths[:, None]
            expected = _sums(self._compared / (mine + self._strengths)) + 2 * _WEIGHT / (self._strengths + 1)
            self._strengths = np.clip(self._won / 2 / expected, 1 / _STRONGEST, _STRONGEST)

    @property
    def uncertainty(self) -> _Reals:
        """The variance of a win between any two: 1/4 if they are equally strong, less otherwise."""
        product: _Reals = self._strengths[:, None] * self._strengths
        total = self._strengths[:, None] + self._strengths
        uncertainty: _Reals = product / (total * total)
        return uncertainty

    @property
    def variances(self) -> _Reals:
        """The variance of the logarithm of each strength."""
        begun_with = 2 * self._strengths / ((self._strengths + 1) * (self._strengths + 1))
        variances: _Reals = 1 / (_sums(self._compared * self.uncertainty) / _WEIGHT + begun_with)
        return variances

    def half_width(self, of: NDArray[np.bool_]) -> float:
        """Return half the longest 95 % interval, in Elo, of the marked entrants, at least one."""
        return _HALF_WIDTH * float(np.sqrt(self.variances[of].max()))


def _sums(terms: _Reals) -> _Reals:
    """Return the sums of rows, exact to ``1 / _ONE`` whatever the order of addition."""
    sums: _Reals = np.rint(terms * _ONE).astype(np.int64).sum(axis=1) / _ONE
    return sums


def numbered(comparison: Comparison, numbers: dict[str, int], *, sides: int) -> tuple[int, int, int, int]:
    """Return a comparison as ``Strengths.learn`` takes it."""
    return numbers[comparison.first], numbers[comparison.second], comparison.half_points, sides
