"""Strengths of entrants by the results so far, and their uncertainty, in the Bradley-Terry model.

They decide who plays next, so every machine has to find the same: only operations that are rounded alike everywhere
are used, and sums are taken in whole numbers. So there is no logarithm and no exponential function here, and matrices
are inverted and multiplied row by row, since libraries of linear algebra add in an order of their own.

A ladder is an order, and what is open in it lies between neighbours. A match is worth as much as it would tell about
their differences, each weighted by the probability that the order of the two is wrong.
"""

from collections.abc import Iterable
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

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
_DECIDED: Final = 3.0
"""The standard deviations between two neighbours whose order counts as known. At 1.96, chance would end an event that
is looked at after every round."""
_TAIL: Final = (0.049867347, 0.0211410061, 0.0032776263, 0.0000380036, 0.0000488906, 0.000005383)
"""Coefficients of the normal distribution, by formula 26.2.19 of Abramowitz and Stegun: errors below 1.5e-7."""

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

    def half_width(self, of: NDArray[np.bool_]) -> float:
        """Return half the longest 95 % interval, in Elo, of a difference between neighbours whose order is not known.

        Args:
            of: marks the entrants that count; the others are left out of the order.
        """
        neighbours = self._neighbours(self._covariances(), of)
        open_ones = (pair.variance for pair in neighbours if pair.deviations < _DECIDED)
        return _HALF_WIDTH * sqrt(max(open_ones, default=0.0))

    def gains(self, of: NDArray[np.bool_]) -> _Reals:
        """Return what a match between any two would tell about the order of the marked entrants."""
        covariances = self._covariances()
        gained = np.zeros_like(covariances)
        for pair in self._neighbours(covariances, of):
            shared = covariances[pair.upper] - covariances[pair.lower]
            apart = shared[:, None] - shared
            gained += _tail(pair.deviations) * (apart * apart)
        own = covariances.diagonal()
        spread = own[:, None] + own - 2 * covariances
        return gained * self.uncertainty / (1 + self.uncertainty * spread)

    def _neighbours(self, covariances: _Reals, of: NDArray[np.bool_]) -> "list[_Neighbours]":
        order = [number for number in np.argsort(-self._strengths, kind="stable").tolist() if of[number]]
        return [self._between(upper, lower, covariances) for upper, lower in pairwise(order)]

    def _between(self, upper: int, lower: int, covariances: _Reals) -> "_Neighbours":
        above, below = float(self._strengths[upper]), float(self._strengths[lower])
        own = float(covariances[upper, upper]) + float(covariances[lower, lower])
        variance = own - 2 * float(covariances[upper, lower])
        # Nearly the logarithm of their ratio: 1 % more at 85 Elo, and more where the order is clear.
        difference = (above - below) / sqrt(above * below)
        return _Neighbours(upper, lower, variance, difference / sqrt(variance))

    def _covariances(self) -> _Reals:
        """Return the covariances of the logarithms of strengths."""
        begun_with = 2 * self._strengths / ((self._strengths + 1) * (self._strengths + 1))
        terms = self._compared * self.uncertainty / _WEIGHT
        information = -terms
        np.fill_diagonal(information, _sums(terms) + begun_with)
        return _inverse(information)


class _Neighbours(NamedTuple):
    """Two entrants between whom there is no other in the order."""

    upper: int
    lower: int
    variance: float
    """The variance of the difference between the logarithms of their strengths."""
    deviations: float
    """The difference of these logarithms, in standard deviations."""


def _tail(deviations: float) -> float:
    """Return the probability that a normal distribution exceeds so many standard deviations, 0 or more."""
    power = total = 1.0
    for coefficient in _TAIL:
        power *= deviations
        total += coefficient * power
    for _ in range(4):  # the sixteenth power
        total *= total
    return 0.5 / total


def _inverse(matrix: _Reals) -> _Reals:
    """Return the inverse of a symmetric matrix in which each diagonal element outweighs the rest of its row."""
    inverse = matrix.copy()
    for pivot in range(len(inverse)):
        own = inverse[pivot, pivot]
        column, row = inverse[:, pivot].copy(), inverse[pivot] / own
        inverse -= column[:, None] * row
        inverse[pivot], inverse[:, pivot] = row, -column / own
        inverse[pivot, pivot] = 1 / own
    return inverse


def _sums(terms: _Reals) -> _Reals:
    """Return the sums of rows, exact to ``1 / _ONE`` whatever the order of addition."""
    sums: _Reals = np.rint(terms * _ONE).astype(np.int64).sum(axis=1) / _ONE
    return sums


def numbered(comparison: Comparison, numbers: dict[str, int], *, sides: int) -> tuple[int, int, int, int]:
    """Return a comparison as ``Strengths.learn`` takes it."""
    return numbers[comparison.first], numbers[comparison.second], comparison.half_points, sides
