"""Generalised likelihood ratio of set scores for two expected scores.

A set score has one of finitely many values from 0 to 1, with unknown probabilities: a multinomial distribution. For
each of two expectations the ratio uses the most likely distribution that has it. With five values this is the
pentanomial model of fishtest (M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of
a Distribution"), but it works with any number of values.

Let a value a be seen in a share p of all sets. The most likely distribution with expectation s gives it the probability
p / (1 + t (a - s)), with the one t for which the expectation is s. (Lagrange's multipliers; A. B. Owen, "Empirical
Likelihood", chapter 2.)
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import numpy as np

from ordago_ladder.rating.fit import Floats

_EXACT: Final = 1e-12
_STEPS: Final = 60
"""Newton's method takes five to ten steps; the rest are for bisection, where it would step out of the interval."""


def log_likelihood_ratio(values: Floats, counts: Floats, low: float, high: float) -> Floats:
    """Return the log likelihood ratio of the counts: expectation ``high`` against ``low``.

    Args:
        values: the values of a score, ascending, with 0 first and 1 last.
        counts: the count of each value along the last axis, above zero for 0 and 1; further axes are independent
            experiments.
        low: an expectation between 0 and 1.
        high: another.
    """
    # The shares in the numerators of both likelihoods cancel out.
    under_low, under_high = (
        np.log1p(multiplier(values - mean, counts)[..., None] * (values - mean)) for mean in (low, high)
    )
    return np.asarray((counts * (under_low - under_high)).sum(axis=-1))


def multiplier(deviations: Floats, counts: Floats) -> Floats:
    """Return the t for which the sum of ``count * deviation / (1 + t * deviation)`` is zero.

    Args:
        deviations: each value less the expectation, ascending, the first below zero, the last above.
        counts: the count of each value along the last axis, above zero for the first and the last.
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
"""Pseudo-counts added to each of the values 0 and 1, since a few equal scores do not prove that all are equal. With few
sets they delay the decision a little."""


class SetScores:
    """Counts of set scores. A set score is an exact share of points, from 0 to 1."""

    def __init__(self, scores: Iterable[Fraction] = ()) -> None:
        """Count these scores."""
        self._counts = Counter(scores)

    def add(self, score: Fraction) -> None:
        """Count one more score."""
        self._counts[score] += 1

    @property
    def counts(self) -> tuple[tuple[Fraction, int], ...]:
        """Each score with its count, ascending."""
        return tuple(sorted(self._counts.items()))

    @property
    def sets(self) -> int:
        """The number of scores counted."""
        return self._counts.total()

    @property
    def mean(self) -> float:
        """The mean of the scores; 1/2 without any."""
        return float(sum(score * count for score, count in self.counts) / self.sets) if self.sets else 0.5

    @property
    def variance(self) -> float:
        """The variance of a score, with the pseudo-counts: rather too great than too small for few scores."""
        values, counts = self._arrays()
        mean = counts @ values / counts.sum()
        return float(counts @ (values - mean) ** 2 / counts.sum())

    def log_likelihood_ratio(self, low: float, high: float) -> float:
        """Return the log likelihood ratio of the scores: expectation ``high`` against ``low``."""
        return float(log_likelihood_ratio(*self._arrays(), low, high))

    def _arrays(self) -> tuple[Floats, Floats]:
        values = sorted({*self._counts, *_EXTREMES})
        counts = np.array([self._counts[value] for value in values], dtype=np.float64)
        counts[[0, -1]] += DOUBT
        return np.array(values, dtype=np.float64), counts
