"""Estimates of the candidate's strength from set scores, with intervals that allow for early stopping.

As sets are added, the log likelihood ratio is nearly a Brownian motion that stops at either of two bounds. Its clock
here is the variance that it has accumulated, so that with the drift c its mean is c V when the clock is at V. The
outcomes of such a test are ordered: those that stopped at the lower bound, the sooner the lower; then those still open,
by their value; then those that stopped at the upper bound, the later the lower. The likelihood of an outcome no
greater than the observed one falls as the drift grows. So it gives a median and an interval for the drift (D.
Siegmund, "Estimation following sequential tests", Biometrika 1978; M. Van den Bergh does so for fishtest).

With L the distance between the bounds, k = n pi / L, and the motion at y, that likelihood is:

    P(lower bound first) + 2/L sum over n of sin(-k lower) exp(c y - (c² + k²) V / 2)
                                             (c sin(k (y - lower)) - k cos(k (y - lower))) / (c² + k²)

It follows from the sine series of the density of the motion between two absorbing bounds.
"""

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.sequential.hypotheses import Hypotheses, Thresholds, elo_of, score_of
from ordago_ladder.sequential.likelihood import SetScores

_TERMS: Final = np.arange(1, 121)
"""The numbers n of the terms. At the least clock for which they are summed, the last term is below 1e-30."""
_UNBOUNDED: Final = 6.0
"""Bounds this many standard deviations away do not matter, and the normal distribution is used."""
_HALVINGS: Final = 40
"""Steps of the bisection."""
_WIDEST: Final = 40.0
"""Half the interval of the bisection for a drift, in standard deviations of the drift."""


class Outcome(NamedTuple):
    """The state of a test, as a Brownian motion."""

    clock: float
    """The variance that the log likelihood ratio has accumulated so far; positive."""
    at: float
    """The log likelihood ratio, from the lower to the upper bound."""


def likelihood_of_no_more(outcome: Outcome, bounds: Thresholds, drift: float) -> float:
    """Return the likelihood, from 0 to 1, of an outcome no greater than this one at this drift."""
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
    """Return the likelihood, from 0 to 1, that a motion from 0 reaches the lower bound first."""
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
    """Return the expected time on the clock until the motion reaches a bound."""
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
"""The likelihood that the true value is beyond each end of an interval."""
_FAR: Final = 0.25
"""The least distance of the mean from the middle between the two expected scores, as a share of their distance, at
which the variance is derived from the log likelihood ratio: nearer to the middle the quotient is unstable."""


class StrengthEstimate(NamedTuple):
    """The candidate's lead over its opponents, in points of Elo."""

    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    superiority: float
    """The likelihood of being stronger, from 0 to 1."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def fixed_strength(scores: SetScores) -> StrengthEstimate:
    """Return the estimate from scores whose number was fixed beforehand."""
    deviation = math.sqrt(scores.variance / max(scores.sets, 1))
    reach = NormalDist().inv_cdf(1 - TAIL) * deviation
    elo, low, high = (elo_of(scores.mean + by) for by in (0.0, -reach, reach))
    return StrengthEstimate(elo, low, high, superiority=NormalDist().cdf((scores.mean - 0.5) / deviation))


def sequential_strength(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> StrengthEstimate:
    """Return the estimate from scores of a sequential test, which may have stopped because of them.

    The estimate is median-unbiased: the plain mean of a test that stopped early by luck would exaggerate.
    """
    low, high = hypotheses.scores
    outcome, bounds = _outcome(scores, hypotheses, ratio), hypotheses.bounds
    middle, step = (low + high) / 2, high - low
    drifts = (drift_at(outcome, bounds, share) for share in (0.5, 1 - TAIL, TAIL))
    elo, lower, upper = (elo_of(middle + drift * step) for drift in drifts)
    return StrengthEstimate(elo, lower, upper, superiority=likelihood_of_more(scores, hypotheses, ratio, elo=0.0))


def likelihood_of_more(scores: SetScores, hypotheses: Hypotheses, ratio: float, *, elo: float) -> float:
    """Return the likelihood that the candidate is stronger by more than this, by the scores of a sequential test."""
    low, high = hypotheses.scores
    drift = (score_of(elo) - (low + high) / 2) / (high - low)
    return likelihood_of_no_more(_outcome(scores, hypotheses, ratio), hypotheses.bounds, drift)


def sets_left(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> int:
    """Return the expected number of further sets, if the candidate is as strong as it seems."""
    outcome = _outcome(scores, hypotheses, ratio)
    clock = clock_left(outcome, hypotheses.bounds, outcome.at / outcome.clock)
    return math.ceil(clock / outcome.clock * scores.sets)


def _outcome(scores: SetScores, hypotheses: Hypotheses, ratio: float) -> Outcome:
    """Return the state of a test as a Brownian motion."""
    low, high = hypotheses.scores
    bounds, step = hypotheses.bounds, high - low
    clock = scores.sets * step**2 / scores.variance
    drift = (scores.mean - (low + high) / 2) / step
    if abs(drift) > _FAR and ratio * drift > 0:
        # Where the variance differs between the two expectations, this is the value in between that fits the ratio.
        clock = ratio / drift
    return Outcome(clock, min(max(ratio, bounds.lower), bounds.upper))
