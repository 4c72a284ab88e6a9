"""What set scores say of the candidate's strength.

The logarithm of the likelihood ratio, as the sets come in, is nearly a Brownian motion that ends at either of two
bounds. It is measured here by its own clock, the variance that it has had so far, so that with the drift c it is at c V
on the average when its clock shows V. All outcomes of such a test have an order: to end at the lower bound, the sooner
the less; to go on, by where it stands; to end at the upper bound, the later the less. The likelihood of an outcome no
greater than the one at hand falls as the drift grows, so that it gives a median and an interval for the drift (D.
Siegmund, "Estimation following sequential tests", Biometrika 1978; M. Van den Bergh does so for fishtest).

That likelihood is, with L the distance between the bounds, k = n pi / L, and the motion at y:

    P(lower bound first) + 2/L sum over n of sin(-k lower) exp(c y - (c² + k²) V / 2)
                                             (c sin(k (y - lower)) - k cos(k (y - lower))) / (c² + k²)

It comes from the density of the motion between two absorbing bounds, expanded into sines.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.sequential.hypotheses import Hypotheses, Thresholds, elo_of, score_of
from ordago_ladder.sequential.likelihood import SetScores

_TERMS: Final = np.arange(1, 121)
"""At the least clock for which they are summed, the last is below 1e-30."""
_UNBOUNDED: Final = 6.0
"""Bounds that are so many standard deviations away do not matter."""
_HALVINGS: Final = 40
_WIDEST: Final = 40.0


class Outcome(NamedTuple):
    """How far a test has come."""

    clock: float
    """The variance that the logarithm of the likelihood ratio has had so far; positive."""
    at: float
    """Its value, from one bound to the other."""


def likelihood_of_no_more(outcome: Outcome, bounds: Thresholds, drift: float) -> float:
    """Return how likely an outcome no greater than this one is at this drift, from 0 to 1."""
    deviation = math.sqrt(outcome.clock)
    if _UNBOUNDED * deviation < min(-bounds.lower, bounds.upper):
        return NormalDist().cdf((outcome.at - drift * outcome.clock) / deviation)
    waves = _TERMS * math.pi / (bounds.upper - bounds.lower)
    angle = waves * (outcome.at - bounds.lower)
    squares = drift**2 + waves**2
    sizes = np.exp(drift * outcome.at - squares * outcome.clock / 2) / squares
    terms = np.sin(-waves * bounds.lower) * sizes * (drift * np.sin(angle) - waves * np.cos(angle))
    series = 2 / (bounds.upper - bounds.lower) * float(terms.sum())
    return min(max(lower_first(bounds, drift) + series, 0.0), 1.0)


def lower_first(bounds: Thresholds, drift: float) -> float:
    """Return how likely the motion comes to the lower bound first, from 0 to 1. It begins at 0, between the bounds."""
    if drift < 0:
        return 1 - lower_first(Thresholds(-bounds.upper, -bounds.lower), -drift)
    width = bounds.upper - bounds.lower
    if drift * width < 1e-9:
        return bounds.upper / width
    upper, whole = math.expm1(-2 * drift * bounds.upper), math.expm1(-2 * drift * width)
    return math.exp(2 * drift * bounds.lower) * upper / whole


def drift_at(outcome: Outcome, bounds: Thresholds, likelihood: float) -> float:
    """Return the drift at which an outcome no greater than this one has a given likelihood."""
    middle, reach = outcome.at / outcome.clock, _WIDEST / math.sqrt(outcome.clock)
    return _falling_root(
        lambda drift: likelihood_of_no_more(outcome, bounds, drift) - likelihood, middle - reach, middle + reach
    )


def clock_left(outcome: Outcome, bounds: Thresholds, drift: float) -> float:
    """Return how much further the clock will be on the average when the motion comes to a bound."""
    ahead = Thresholds(bounds.lower - outcome.at, bounds.upper - outcome.at)
    if ahead.lower >= 0 or ahead.upper <= 0:
        return 0.0
    if abs(drift) * (ahead.upper - ahead.lower) < 1e-6:
        return -ahead.lower * ahead.upper
    down = lower_first(ahead, drift)
    return (down * ahead.lower + (1 - down) * ahead.upper) / drift


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


TAIL: Final = 0.025
"""How likely the truth is beyond each end of an interval."""
_FAR: Final = 0.25
"""So far from the middle between two expectations, as a share of their distance, the ratio tells the variance."""


class StrengthEstimate(NamedTuple):
    """How much stronger the candidate is than its opponents, in points of Elo."""

    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    superiority: float
    """The likelihood of being stronger at all, from 0 to 1."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def fixed_strength(scores: SetScores) -> StrengthEstimate:
    """Return what scores say whose number was fixed beforehand."""
    deviation = math.sqrt(scores.variance / max(scores.sets, 1))
    reach = NormalDist().inv_cdf(1 - TAIL) * deviation
    elo, low, high = (elo_of(scores.mean + by) for by in (0.0, -reach, reach))
    return StrengthEstimate(elo, low, high, superiority=NormalDist().cdf((scores.mean - 0.5) / deviation))


def sequential_strength(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> StrengthEstimate:
    """Return what scores say of a test that may have stopped because of them, and goes on otherwise.

    The estimate is the strength at which more and less are as likely, so it is not what a test that ended early by luck
    would seem to say.
    """
    low, high = hypotheses.scores
    outcome, bounds = _outcome(scores, hypotheses, ratio), hypotheses.bounds
    middle, step = (low + high) / 2, high - low
    drifts = (drift_at(outcome, bounds, share) for share in (0.5, 1 - TAIL, TAIL))
    elo, lower, upper = (elo_of(middle + drift * step) for drift in drifts)
    return StrengthEstimate(elo, lower, upper, superiority=likelihood_of_more(scores, hypotheses, ratio, elo=0.0))


def likelihood_of_more(scores: SetScores, hypotheses: Hypotheses, ratio: float, *, elo: float) -> float:
    """Return how likely the candidate is stronger by more than this, as far as a sequential test can tell."""
    low, high = hypotheses.scores
    drift = (score_of(elo) - (low + high) / 2) / (high - low)
    return likelihood_of_no_more(_outcome(scores, hypotheses, ratio), hypotheses.bounds, drift)


def sets_left(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> int:
    """Return how many sets a test goes on for on the average, if the candidate is as strong as it seems."""
    outcome = _outcome(scores, hypotheses, ratio)
    clock = clock_left(outcome, hypotheses.bounds, outcome.at / outcome.clock)
    return math.ceil(clock / outcome.clock * scores.sets)


def _outcome(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> Outcome:
    """Return how far a test has come, as the diffusion that it nearly is."""
    low, high = hypotheses.scores
    bounds, step = hypotheses.bounds, high - low
    clock = scores.sets * step**2 / scores.variance
    drift = (scores.mean - (low + high) / 2) / step
    if abs(drift) > _FAR and ratio * drift > 0:
        # Where the variance is not the same under both expectations, this is what it is between them.
        clock = ratio / drift
    return Outcome(clock, min(max(ratio, bounds.lower), bounds.upper))
