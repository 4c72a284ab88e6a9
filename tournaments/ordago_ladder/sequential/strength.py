"""What set scores say of the candidate's strength."""

import math
from statistics import NormalDist
from typing import Final, NamedTuple

from ordago_ladder.sequential.diffusion import Outcome, clock_left, drift_at, likelihood_of_no_more
from ordago_ladder.sequential.elo import elo_of, score_of
from ordago_ladder.sequential.hypotheses import Hypotheses
from ordago_ladder.sequential.scores import SetScores

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
