"""The maximum of a posterior, where the prior is normal: found by Newton's method, with steps by conjugate gradients.

A point is the mean of the prior and the product of its covariance with some **pull**. So the covariance need not be
turned round, and who is known exactly, with a variance of zero, stays where he is.
"""

from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.sparse import Floats
from ordago_ladder.standing.ratings.evidence import Evidence

_LONGEST_STEP: Final = 1.0
"""174 points of Elo: Newton's steps are shortened to it, since far from the summit they lead astray."""
_SHORTEST_STEP: Final = 1e-6
"""Whoever moves less has arrived: the next step would be about its square."""
_MOST_STEPS: Final = 200
"""A search takes some five; this only ends one that rounding keeps from arriving."""
_REST: Final = 1e-20
"""A step is solved until this share of the square of what was to solve is left."""


class _Step(NamedTuple):
    of_point: Floats
    of_pull: Floats


def map_estimate(evidence: Evidence, mean: Floats, covariance: Floats) -> Floats:
    """Return the maximum, with steps kept short so that none leaps over it and away."""
    point, pull = mean.copy(), np.zeros_like(mean)
    for _ in range(_MOST_STEPS):
        step = _step(evidence, point, covariance, evidence.slopes(point) - pull)
        length = float(np.abs(step.of_point).max())
        share = min(1.0, _LONGEST_STEP / max(length, _SHORTEST_STEP))
        point += share * step.of_point
        pull += share * step.of_pull
        if length <= _SHORTEST_STEP:
            return point
    raise ArithmeticError("a normal prior leaves one maximum and Newton's method finds it")


def _step(evidence: Evidence, point: Floats, covariance: Floats, slopes: Floats) -> _Step:
    """Return Newton's step, by conjugate gradients that begin with what the prior alone would say."""
    information = evidence.information(point)
    found = _Step(np.zeros_like(point), np.zeros_like(point))
    rest, across = slopes, covariance @ slopes
    way, pull = across, rest
    left = target = float(rest @ across)
    for _ in range(len(point)):
        if left <= _REST * target:
            break
        bent = pull + information @ way
        share = left / float(way @ bent)
        found = _Step(found.of_point + share * way, found.of_pull + share * pull)
        rest = rest - share * bent
        across = covariance @ rest
        before, left = left, float(rest @ across)
        way, pull = across + left / before * way, rest + left / before * pull
    return found
