"""The set scores that were seen."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import numpy as np

from ordago_ladder.sequential.likelihood import Floats, log_likelihood_ratio

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
