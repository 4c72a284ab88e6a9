"""Hypotheses on the strength of a candidate in Elo, with their errors, and conclusions about them."""

import enum
import math
from statistics import NormalDist
from typing import Final, NamedTuple

from ordago_ladder.rating.fit import ELO

MOST_ELO: Final = 1_200.0
"""The greatest difference that is reported: near 0 or 100 % of the points, differences cannot be measured."""


def score_of(elo: float) -> float:
    """Return the expected score, from 0 to 1, of a bot that is stronger by this much Elo."""
    return 1 / (1 + math.exp(-elo / ELO))


def elo_of(score: float) -> float:
    """Return the lead in Elo that this score, from 0 to 1, stands for, within ``MOST_ELO``."""
    if score <= 0 or score >= 1:
        return math.copysign(MOST_ELO, score - 0.5)
    return min(max(ELO * math.log(score / (1 - score)), -MOST_ELO), MOST_ELO)


class Conclusion(enum.Enum):
    """The result of a test."""

    STRONGER = "stronger"
    """``elo1`` is accepted: the candidate is stronger."""
    NOT_STRONGER = "not stronger"
    """``elo0`` is accepted: the candidate is not stronger."""
    UNDECIDED = "undecided"
    """Neither is accepted so far."""


class Thresholds(NamedTuple):
    """Bounds of the log likelihood ratio between which a test goes on."""

    lower: float
    upper: float


class Hypotheses(NamedTuple):
    """Two hypotheses on the candidate's strength, one of which the test accepts."""

    elo0: float
    """The candidate's lead, in Elo, under the null hypothesis."""
    elo1: float
    """The candidate's lead, in Elo, under the alternative that it is stronger."""
    alpha: float = 0.05
    """The largest likelihood of accepting ``elo1`` where ``elo0`` is true."""
    beta: float = 0.05
    """The largest likelihood of accepting ``elo0`` where ``elo1`` is true."""

    @property
    def scores(self) -> tuple[float, float]:
        """The expected scores under ``elo0`` and ``elo1``."""
        return score_of(self.elo0), score_of(self.elo1)

    @property
    def bounds(self) -> Thresholds:
        """The bounds of Wald's sequential probability ratio test for these errors."""
        return Thresholds(math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))

    def conclusion(self, ratio: float) -> Conclusion:
        """Return the conclusion at this log likelihood ratio."""
        if ratio >= self.bounds.upper:
            return Conclusion.STRONGER
        return Conclusion.NOT_STRONGER if ratio <= self.bounds.lower else Conclusion.UNDECIDED

    def fixed_sets(self, variance: float) -> int:
        """Return the number of sets of a fixed-size test with the same errors.

        Args:
            variance: the variance of a set score.
        """
        low, high = self.scores
        normal = NormalDist()
        quantiles = normal.inv_cdf(1 - self.alpha) + normal.inv_cdf(1 - self.beta)
        return math.ceil((quantiles / (high - low)) ** 2 * variance)
