"""Simulated sequential tests of a candidate of known strength: error rates and numbers of sets."""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ordago_ladder.rating.fit import Floats
from ordago_ladder.sequential.hypotheses import Conclusion, Hypotheses, score_of
from ordago_ladder.sequential.likelihood import DOUBT, SetScores, log_likelihood_ratio, multiplier
from ordago_ladder.sequential.strength import TAIL, likelihood_of_more


class Shape(NamedTuple):
    """A distribution of the set scores of a game."""

    name: str
    weights: tuple[int, ...]
    """The relative frequencies of equally spaced scores from 0 to 1."""

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The scores, ascending."""
        return tuple(Fraction(number, len(self.weights) - 1) for number in range(len(self.weights)))

    def shares_at(self, elo: float) -> Floats:
        """Return the probability of each score if the candidate is stronger by ``elo`` points."""
        shares = np.array(self.weights, dtype=np.float64) / sum(self.weights)
        deviations = np.array(self.values, dtype=np.float64) - score_of(elo)
        return shares / (1 + float(multiplier(deviations, shares)) * deviations)


class Ended(NamedTuple):
    """A finished test."""

    scores: SetScores
    ratio: float
    conclusion: Conclusion


def ended_tests(shape: Shape, hypotheses: Hypotheses, *, elo: float, runs: int, seed: int) -> list[Ended]:
    """Return the ends of tests of a candidate that is stronger by ``elo`` points."""
    random = np.random.RandomState(seed)
    shares = shape.shares_at(elo)
    values = np.array(shape.values, dtype=np.float64)
    counts = np.zeros((runs, len(values)))
    counts[:, [0, -1]] = DOUBT
    ended: list[Ended] = []
    while len(counts):
        drawn = random.choice(len(values), size=len(counts), p=shares / shares.sum())
        counts[np.arange(len(counts)), drawn] += 1
        ratios = log_likelihood_ratio(values, counts, *hypotheses.scores)
        over = (ratios <= hypotheses.bounds.lower) | (ratios >= hypotheses.bounds.upper)
        ended += [_ended(shape, row, ratio, hypotheses) for row, ratio in zip(counts[over], ratios[over], strict=True)]
        counts = counts[~over]
    return ended


def _ended(shape: Shape, counts: Floats, ratio: float, hypotheses: Hypotheses) -> Ended:
    seen = [int(count) for count in counts]
    scores = SetScores(Counter(dict(zip(shape.values, seen, strict=True))).elements())
    return Ended(scores, float(ratio), hypotheses.conclusion(float(ratio)))


class Figures(NamedTuple):
    """The figures of many tests of one candidate."""

    errors: float
    """The share of tests that accept the wrong hypothesis; 0 if the true strength is neither of the two."""
    sets: float
    """The mean number of sets of a test."""
    fixed_sets: int
    """The number of sets of a test of fixed size with the same error rates."""
    coverage: float
    """The share of final intervals that contain the true strength."""
    above: float
    """The share of final estimates above the true strength."""


def simulate(shape: Shape, hypotheses: Hypotheses, *, elo: float, runs: int, seed: int = 0) -> Figures:
    """Return the figures of many tests of a candidate that is stronger by ``elo`` points."""
    ended = ended_tests(shape, hypotheses, elo=elo, runs=runs, seed=seed)
    wrong = {hypotheses.elo0: Conclusion.STRONGER, hypotheses.elo1: Conclusion.NOT_STRONGER}.get(elo)
    above = [likelihood_of_more(test.scores, hypotheses, test.ratio, elo=elo) for test in ended]
    shares, values = shape.shares_at(elo), np.array(shape.values, dtype=np.float64)
    variance = float(shares @ (values - score_of(elo)) ** 2)
    return Figures(
        errors=sum(test.conclusion is wrong for test in ended) / runs,
        sets=sum(test.scores.sets for test in ended) / runs,
        fixed_sets=hypotheses.fixed_sets(variance),
        coverage=sum(TAIL <= likelihood <= 1 - TAIL for likelihood in above) / runs,
        above=sum(likelihood > 0.5 for likelihood in above) / runs,
    )
