"""How much more likely some set scores are under one expectation than under another.

A set score has one of finitely many values between 0 and 1, with probabilities that nobody knows: those of a
multinomial distribution. The generalised likelihood ratio takes, for each of two expectations, the most likely of all
distributions that have it. With five values this is the pentanomial model of fishtest (M. Van den Bergh, "The
Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution"); nothing in it asks for five.

The most likely distribution with expectation s gives a value a, which was seen in a share p of all sets, the
probability p / (1 + t (a - s)), with the one t for which these have the expectation s. (Lagrange's multipliers; A. B.
Owen, "Empirical Likelihood", chapter 2.)
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import numpy as np

from ordago_ladder.rating.fit import Floats

_EXACT: Final = 1e-12
_STEPS: Final = 60
"""Newton's method takes five to ten; the rest halve the interval where it would leave it."""


def log_likelihood_ratio(values: Floats, counts: Floats, low: float, high: float) -> Floats:
    """Return the logarithm of how much more likely the counts are under the expectation ``high`` than under ``low``.

    Args:
        values: the values, ascending from 0 to 1, both of them among these.
        counts: how often each was seen, along the last axis, 0 and 1 not never; any axes before it stand for so many
            experiments.
        low: an expectation between 0 and 1.
        high: another.
    """
    # Both have the shares in their numerators, so only the denominators are left.
    under_low, under_high = (
        np.log1p(multiplier(values - mean, counts)[..., None] * (values - mean)) for mean in (low, high)
    )
    return np.asarray((counts * (under_low - under_high)).sum(axis=-1))


def multiplier(deviations: Floats, counts: Floats) -> Floats:
    """Return the t for which the sum of ``count * deviation / (1 + t * deviation)`` is zero.

    Args:
        deviations: of each value from the expectation, ascending from below zero to above it.
        counts: of each value, along the last axis; those of the first and the last value are not zero.
    """
    low = np.full(counts.shape[:-1], -1 / deviations[-1])
    high = np.full(counts.shape[:-1], -1 / deviations[0])
    found = np.zeros(counts.shape[:-1])
    for _ in range(_STEPS):
        ratio = deviations / (1 + found[..., None] * deviations)
        excess = (counts * ratio).sum(axis=-1)
        low, high = np.where(excess > 0, found, low), np.where(excess > 0, high, found)
        newton = found + excess / (counts * ratio**2).sum(axis=-1)
        following = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
        moved = np.abs(following - found).max()
        found = following
        if moved < _EXACT:
            break
    return found


_EXTREMES: Final = (Fraction(0), Fraction(1))
DOUBT: Final = 0.5
"""How often each of the values 0 and 1 counts as seen beyond what was seen: a few equal scores do not prove that all
are equal. It leaves the test undecided a little longer where few sets were played."""


class SetScores:
    """How often each set score was seen. A set score is a share of points, from 0 to 1, of whatever denominator."""

    def __init__(self, scores: Iterable[Fraction] = ()) -> None:
        """Begin with some scores."""
        self._counts = Counter(scores)

    def add(self, score: Fraction) -> None:
        """Count one more."""
        self._counts[score] += 1

    @property
    def counts(self) -> tuple[tuple[Fraction, int], ...]:
        """Each score with how often it was seen, ascending."""
        return tuple(sorted(self._counts.items()))

    @property
    def sets(self) -> int:
        """How many were counted."""
        return self._counts.total()

    @property
    def mean(self) -> float:
        """The mean of the scores; 1/2 where there are none."""
        return float(sum(score * count for score, count in self.counts) / self.sets) if self.sets else 0.5

    @property
    def variance(self) -> float:
        """The variance of a score, rather too great than too small where few were seen."""
        values, counts = self._arrays()
        mean = counts @ values / counts.sum()
        return float(counts @ (values - mean) ** 2 / counts.sum())

    def log_likelihood_ratio(self, low: float, high: float) -> float:
        """Return the logarithm of how much more likely the scores are under one expectation than under another."""
        return float(log_likelihood_ratio(*self._arrays(), low, high))

    def _arrays(self) -> tuple[Floats, Floats]:
        values = sorted({*self._counts, *_EXTREMES})
        counts = np.array([self._counts[value] for value in values], dtype=np.float64)
        counts[[0, -1]] += DOUBT
        return np.array(values, dtype=np.float64), counts
