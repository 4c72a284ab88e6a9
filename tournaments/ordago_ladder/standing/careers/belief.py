"""What is known of strengths and seats at some time, and what results make of it.

The model of pairings is that of ``fit``. What is known beforehand is normal, with a covariance of each two strengths,
and what is known afterwards is taken for normal too: around the maximum of the posterior, which Newton's method finds.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.sparse import Floats, Integers
from ordago_ladder.standing.careers.evidence import Evidence, Key

_LONGEST_STEP: Final = 1.0
"""174 points of Elo: Newton's steps are shortened to it, since far from the summit they lead astray."""
_SHORTEST_STEP: Final = 1e-6
"""Whoever moves less has arrived: the next step would be about its square."""
_MOST_STEPS: Final = 200
"""A search takes some five; this only ends one that rounding keeps from arriving."""


class Belief(NamedTuple):
    """What is known of strengths and seat effects."""

    keys: tuple[Key, ...]
    """Whose they are: players, and seats of games."""
    mean: Floats
    covariance: Floats
    information: Floats
    """What results have said of each until now: the inverse of a variance, were all others known."""

    places: Mapping[Key, int]
    """Where each of them stands."""

    @classmethod
    def of_nothing(cls) -> "Belief":
        """Return the belief before anybody came."""
        return cls((), np.zeros(0), np.zeros((0, 0)), np.zeros(0), {})

    def joined(self, key: Key, *, mean: float, variance: float) -> "Belief":
        """Return the belief with somebody of whom nothing else is known."""
        return self._appended(key, mean, np.zeros(len(self.keys)), variance)

    def followed(self, key: Key, *, predecessor: int, variance: float) -> "Belief":
        """Return the belief with somebody who begins near another, who stands at a place."""
        near = self.covariance[predecessor]
        return self._appended(key, float(self.mean[predecessor]), near, float(near[predecessor]) + variance)

    def _appended(self, key: Key, mean: float, beside: Floats, variance: float) -> "Belief":
        covariance = np.block([[self.covariance, beside[:, np.newaxis]], [beside, np.array(variance)]])
        return Belief(
            (*self.keys, key),
            np.append(self.mean, mean),
            covariance,
            np.append(self.information, 0.0),
            {**self.places, key: len(self.keys)},
        )

    def without(self, gone: Sequence[int]) -> "Belief":
        """Return the belief without those at some places."""
        stay = np.setdiff1d(np.arange(len(self.keys)), gone)
        keys = tuple(self.keys[place] for place in stay)
        covariance = self.covariance[np.ix_(stay, stay)]
        places = {key: place for place, key in enumerate(keys)}
        return Belief(keys, self.mean[stay], covariance, self.information[stay], places)

    def walked(self, variances: Floats) -> "Belief":
        """Return the belief after everybody has changed by chance, with these variances."""
        return self._replace(covariance=self.covariance + np.diag(variances))

    def after(self, evidence: Evidence) -> "Belief":
        """Return what the belief is once the evidence is known, all of whose keys it has."""
        if not evidence.keys:
            return self
        active = np.array([self.places[key] for key in evidence.keys])
        prior = self.covariance[np.ix_(active, active)]
        point = _maximum(evidence, self.mean[active], prior)
        told = evidence.information(point)
        mean = self.mean + self.covariance[:, active] @ evidence.slopes(point)
        information = self.information.copy()
        information[active] += np.diag(told)
        covariance = _narrowed(self.covariance, active, told)
        return self._replace(mean=mean, covariance=covariance, information=information)


def _maximum(evidence: Evidence, mean: Floats, covariance: Floats) -> Floats:
    """Climb to the maximum of the posterior, with steps kept short so that none leaps over it and away."""
    point = mean.copy()
    one = np.eye(len(mean))
    for _ in range(_MOST_STEPS):
        away = mean + covariance @ evidence.slopes(point) - point
        step = np.linalg.solve(one + covariance @ evidence.information(point), away)
        length = float(np.abs(step).max())
        point += step * min(1.0, _LONGEST_STEP / max(length, _SHORTEST_STEP))
        if length <= _SHORTEST_STEP:
            return point
    raise ArithmeticError("a normal prior leaves one maximum and Newton's method finds it")


def _narrowed(covariance: Floats, active: Integers, told: Floats) -> Floats:
    """Return a covariance after information on the active, by the lemma of Woodbury."""
    beside = covariance[active]
    after = np.linalg.solve(np.eye(len(active)) + beside[:, active] @ told, beside)
    narrowed: Floats = covariance - beside.T @ (told @ after)
    return (narrowed + narrowed.T) / 2
