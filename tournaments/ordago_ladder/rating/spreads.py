"""The spreads of strengths and of seat effects, fitted to the results.

How far apart entrants are differs from game to game: in one where chance weighs much, all are within 60 points, in
another 600 lie between the first and the last. One fixed spread for all is wrong: too wide, and few results are blown
up; too narrow, and true differences are played down. So both are chosen by the data: the spreads under which results
are most likely (the marginal likelihood, by Laplace's approximation), with a log-normal prior of their own for events
that say little. research/ratings.md shows what this brings.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO, Counts, Evidence, Floats, counts_of, fit, squared


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
_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {"strengths": (39, 920), "seats": (9.9, 161)}
"""The least and the greatest spread that is tried, in points: with any of them hardly anything is known beforehand."""
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
    search = _Search(evidence)
    strengths = search.best("strengths", USUAL.strengths, seats=USUAL.seats)
    seats = search.best("seats", USUAL.seats, strengths=strengths.value)
    strengths = search.best("strengths", strengths.value, seats=seats.value)
    return Spreads(strengths.value, seats.value, wide=strengths.value * math.exp(strengths.deviation))


class _Peak(NamedTuple):
    """The most likely value of a spread."""

    value: float
    deviation: float
    """The standard deviation of its logarithm."""


class _Search:
    """The search for the spreads of some results."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._counts = counts_of(evidence)

    def best(self, name: str, begin: float, **other: float) -> _Peak:
        """Return the most likely value of one spread, given the other, looked for upwards and downwards from one."""

        @cache
        def likelihood(step: int) -> float:
            value = begin * _STEP**step
            beyond = math.log(value / getattr(USUAL, name))
            return marginal(with_spreads(self._evidence, **{name: value}, **other), self._counts) - beyond**2 / 2

        least, greatest = (math.log(bound / begin, _STEP) for bound in _BOUNDS[name])
        return _peak(begin, _best_step(likelihood, range(math.ceil(least), math.floor(greatest) + 1)), likelihood)


def _best_step(height: Callable[[int], float], steps: range) -> int:
    """Return the step from which it goes down both ways, or the last before either end."""
    step = min(max(0, steps[1]), steps[-2])
    way = 1 if height(step + 1) > height(step) else -1
    while steps[0] < step + way < steps[-1] and height(step + way) > height(step):
        step += way
    return step


def _peak(begin: float, step: int, height: Callable[[int], float]) -> _Peak:
    """Return where a function is greatest, by a parabola through a step and its neighbours."""
    before, top, after = (height(step + way) for way in (-1, 0, 1))
    curvature = max(2 * top - before - after, _LEAST_CURVATURE)
    # At the bounds it may go on rising: no further than to the last step that was tried.
    moved = min(max((after - before) / (2 * curvature), -1.0), 1.0)
    return _Peak(begin * _STEP ** (step + moved), math.log(_STEP) / math.sqrt(curvature))


def marginal(evidence: Evidence, counts: Counts) -> float:
    """Return the logarithm of how likely the results are under the prior, by Laplace's approximation."""
    point = fit(evidence, counts)
    differences = evidence.design.times(point[np.newaxis])[0]
    of_wins, of_losses = -np.logaddexp(0, -differences), -np.logaddexp(0, differences)
    likelihood = float(counts.wins @ of_wins + (counts.pairings - counts.wins) @ of_losses)
    prior = float(_prior(evidence, point)[~evidence.fixed].sum())
    return likelihood + prior - _volume(evidence, counts.pairings * np.exp(of_wins + of_losses)) / 2


def _prior(evidence: Evidence, point: Floats) -> Floats:
    """Return the logarithm of the prior of each strength and effect, without a constant."""
    prior: Floats = -(((point - evidence.centres) / evidence.spreads) ** 2) / 2 - np.log(evidence.spreads)
    return prior


def _volume(evidence: Evidence, information: Floats) -> float:
    """Return the logarithm of the determinant of the curvature at the maximum, from the information by kind."""
    curvature = squared(evidence, information[np.newaxis])[0] + np.diag(evidence.spreads**-2)
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    return float(np.linalg.slogdet(curvature[free])[1])
