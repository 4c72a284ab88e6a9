"""Hypotheses on the strength of a candidate in Elo, with their errors, and conclusions about them."""

import enum
import math
from statistics import NormalDist
from typing import Final, NamedTuple

from ordago_ladder.rating.fit import ELO

MOST_ELO: Final = 1_200.0
"""What is told of whoever wins nearly all or nearly nothing: beyond it differences cannot be measured."""


def score_of(elo: float) -> float:
    """Return the share of points that is expected of whoever is so much stronger, in points of Elo."""
    return 1 / (1 + math.exp(-elo / ELO))


def elo_of(score: float) -> float:
    """Return by how many points of Elo somebody is stronger who takes this share of points, from 0 to 1."""
    if score <= 0 or score >= 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return min(max(ELO * math.log(score / (1 - score)), -MOST_ELO), MOST_ELO)


class Conclusion(enum.Enum):
    """What came of a test."""

    STRONGER = "stronger"
    """``elo1`` is accepted: the candidate is stronger."""
    NOT_STRONGER = "not stronger"
    """``elo0`` is accepted: the candidate is not stronger."""
    UNDECIDED = "undecided"
    """Neither is accepted so far."""


class Thresholds(NamedTuple):
    """Between which logarithms of likelihood ratios a test goes on."""

    lower: float
    upper: float


class Hypotheses(NamedTuple):
    """Two strengths of the candidate, of which one is to be accepted."""

    elo0: float
    """How much stronger it is at most if it is not taken for stronger, in points of Elo."""
    elo1: float
    """How much stronger it is at least if it is."""
    alpha: float = 0.05
    """How likely ``elo1`` may be accepted at most where ``elo0`` is the truth."""
    beta: float = 0.05
    """How likely ``elo0`` may be accepted at most where ``elo1`` is the truth."""

    @property
    def scores(self) -> tuple[float, float]:
        """The share of points that is expected under each."""
        return score_of(self.elo0), score_of(self.elo1)

    @property
    def bounds(self) -> Thresholds:
        """Where the test ends, as Wald has it."""
        return Thresholds(math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))

    def conclusion(self, ratio: float) -> Conclusion:
        """Return what comes of a logarithm of the likelihood ratio."""
        if ratio >= self.bounds.upper:
            return Conclusion.STRONGER
        return Conclusion.NOT_STRONGER if ratio <= self.bounds.lower else Conclusion.UNDECIDED

    def fixed_sets(self, variance: float) -> int:
        """Return how many sets a test with the same errors needs whose size is fixed beforehand.

        Args:
            variance: the variance of a set score.
        """
        low, high = self.scores
        normal = NormalDist()
        quantiles = normal.inv_cdf(1 - self.alpha) + normal.inv_cdf(1 - self.beta)
        return math.ceil((quantiles / (high - low)) ** 2 * variance)
