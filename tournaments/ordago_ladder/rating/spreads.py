"""The spreads of strengths and of seat effects, fitted to the results.

How far apart entrants are differs from game to game: in one where chance weighs much, all are within 60 points, in
another 600 lie between the first and the last. One fixed spread for all is wrong: too wide, and few results are blown
up; too narrow, and true differences are played down. So both are chosen by the data: the spreads under which results
are most likely (the marginal likelihood, by Laplace's approximation), with a log-normal prior of their own for events
that say little. research/ratings.md shows what this brings.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO, Evidence, Floats, fit, squared


class Spreads(NamedTuple):
    """Standard deviations of the prior, in points of Elo."""

    strengths: float
    """That of the strengths of the entrants."""
    seats: float
    """That of the seat effects."""
    wide: float
    """One standard deviation above the most likely spread of strengths, for intervals: the spread is not known either.
    """


USUAL: Final = Spreads(strengths=250.0, seats=40.0, wide=250.0 * math.e)
"""What is expected of a game before anything was played: the medians of the prior of the spreads.

Two thirds of that prior lie within a factor of e: strengths are spread by 92 to 680 points.
"""
_STEP: Final = math.sqrt(2)
"""The factor between two spreads that are tried. A parabola finds the best between them."""
_TRIED: Final[Mapping[str, Sequence[float]]] = {
    "strengths": [40 * _STEP**step for step in range(10)],
    "seats": [10 * _STEP**step for step in range(9)],
}
"""The values that are tried for each spread: up to 905 points for strengths, and to 160 for seats."""
_LEAST_CURVATURE: Final = math.log(_STEP) ** 2
"""The curvature, a step, of the prior of a spread: where the results say nothing of it, it is known as well as that."""


def with_spreads(evidence: Evidence, *, strengths: float, seats: float) -> Evidence:
    """Return the evidence with these spreads in its prior, in points of Elo."""
    numbers = [len(evidence.entrants), len(evidence.seats)]
    return replace(evidence, spreads=np.repeat(np.array([strengths, seats]) / ELO, numbers))


def spreads_of(evidence: Evidence) -> Spreads:
    """Return the spreads that the results make most likely.

    That of the strengths is sought with the usual seat effects, then that of the seats, then that of the strengths
    again: the two hardly depend on each other.
    """
    if not len(evidence.kinds):
        return USUAL
    strengths = _best("strengths", evidence, seats=USUAL.seats)
    seats = _best("seats", evidence, strengths=strengths.value)
    strengths = _best("strengths", evidence, seats=seats.value)
    return Spreads(strengths.value, seats.value, wide=strengths.value * math.exp(strengths.deviation))


class _Peak(NamedTuple):
    """The most likely value of a spread."""

    value: float
    deviation: float
    """The standard deviation of its logarithm."""


def _best(name: str, evidence: Evidence, **other: float) -> _Peak:
    """Return the most likely value of one spread, given the other."""

    def likelihood(value: float) -> float:
        beyond = math.log(value / getattr(USUAL, name))
        return marginal(with_spreads(evidence, **{name: value}, **other)) - beyond**2 / 2

    return _peak(_TRIED[name], likelihood)


def _peak(values: Sequence[float], height: Callable[[float], float]) -> _Peak:
    """Return where a function is greatest, by a parabola through the best of these values and its neighbours."""
    heights = [height(value) for value in values]
    best = max(range(1, len(values) - 1), key=heights.__getitem__)
    before, top, after = heights[best - 1 : best + 2]
    curvature = max(2 * top - before - after, _LEAST_CURVATURE)
    # Beyond the values that are tried, the best is the last of them.
    steps = min(max((after - before) / (2 * curvature), -1.0), 1.0)
    return _Peak(values[best] * _STEP**steps, math.log(_STEP) / math.sqrt(curvature))


def marginal(evidence: Evidence) -> float:
    """Return the logarithm of how likely the results are under the prior, by Laplace's approximation."""
    point = fit(evidence)
    free = ~evidence.fixed
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds)) * evidence.weights
    wins = np.bincount(evidence.kind_numbers, weights=evidence.wins, minlength=len(evidence.kinds)) * evidence.weights
    differences = evidence.design.times(point[np.newaxis])[0]
    of_wins, of_losses = -np.logaddexp(0, -differences), -np.logaddexp(0, differences)
    likelihood = float(wins @ of_wins + (counts - wins) @ of_losses)
    prior = float(_prior(evidence, point)[free].sum())
    return likelihood + prior - _volume(evidence, counts, of_wins + of_losses) / 2


def _prior(evidence: Evidence, point: Floats) -> Floats:
    """Return the logarithm of the prior of each strength and effect, without a constant."""
    prior: Floats = -(((point - evidence.centres) / evidence.spreads) ** 2) / 2 - np.log(evidence.spreads)
    return prior


def _volume(evidence: Evidence, counts: Floats, log_variance: Floats) -> float:
    """Return the logarithm of the determinant of the curvature at the maximum."""
    curvature = squared(evidence, (counts * np.exp(log_variance))[np.newaxis])[0] + np.diag(evidence.spreads**-2)
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    return float(np.linalg.slogdet(curvature[free])[1])
