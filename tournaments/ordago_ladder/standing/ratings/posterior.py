"""What is known of strengths and seats at some time, and what results make of it.

The model of pairings is that of ``fit``. What is known beforehand is normal, with a covariance of each two strengths,
and what is known afterwards is taken for normal too: around the maximum of the posterior (``map_estimate``).

A point is the mean of the prior and the product of its covariance with some **pull**. So the covariance need not be
turned round, and who is known exactly, with a variance of zero, stays where he is.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import LONGEST_STEP, MOST_STEPS, SHORTEST_STEP, Floats, Integers
from ordago_ladder.standing.ratings.evidence import Evidence, Key

_REST: Final = 1e-20
"""A step is solved until this share of the square of what was to solve is left."""


class _Step(NamedTuple):
    of_point: Floats
    of_pull: Floats


def map_estimate(evidence: Evidence, mean: Floats, covariance: Floats) -> Floats:
    """Return the maximum, with steps kept short so that none leaps over it and away."""
    point, pull = mean.copy(), np.zeros_like(mean)
    for _ in range(MOST_STEPS):
        step = _step(evidence, point, covariance, evidence.slopes(point) - pull)
        length = float(np.abs(step.of_point).max())
        share = min(1.0, LONGEST_STEP / max(length, SHORTEST_STEP))
        point += share * step.of_point
        pull += share * step.of_pull
        if length <= SHORTEST_STEP:
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


class Beginning(NamedTuple):
    """What is known of somebody who comes."""

    key: Key
    mean: float
    variance: float
    """Of the strength, or of its difference from that of the predecessor."""
    predecessor: Key | None = None
    """Near whom he begins, by the mean above him."""


class Posterior(NamedTuple):
    """What is known of strengths and seat effects."""

    places: Mapping[Key, int]
    """Whose they are, players and seats of games, and where each of them stands."""
    mean: Floats
    covariance: Floats
    information: Floats
    """What results have said of each until now: the inverse of a variance, were all others known."""

    def __deepcopy__(self, _known: dict[int, object]) -> "Posterior":
        # Nobody changes its arrays, and they are large.
        return self

    @classmethod
    def of_nothing(cls) -> "Posterior":
        """Return the belief before anybody came."""
        return cls({}, np.zeros(0), np.zeros((0, 0)), np.zeros(0))

    def joined(self, beginnings: Sequence[Beginning]) -> "Posterior":
        """Return the belief with others, each after his predecessor."""
        there = len(self.mean)
        places = dict(self.places)
        mean, information = (np.append(known, np.zeros(len(beginnings))) for known in (self.mean, self.information))
        covariance = np.pad(self.covariance, (0, len(beginnings)))
        for place, (key, own, variance, predecessor) in enumerate(beginnings, start=there):
            places[key] = place
            mean[place], covariance[place, place] = own, variance
            if predecessor is not None:
                near = places[predecessor]
                mean[place] += mean[near]
                covariance[place, place] += covariance[near, near]
                covariance[place, :place] = covariance[:place, place] = covariance[near, :place]
        return Posterior(places, mean, covariance, information)

    def without(self, gone: Collection[Key]) -> "Posterior":
        """Return the belief without some."""
        keys = [key for key in self.places if key not in gone]
        stay = self._at(keys)
        places = {key: place for place, key in enumerate(keys)}
        return Posterior(places, self.mean[stay], self.covariance[np.ix_(stay, stay)], self.information[stay])

    def walked(self, keys: Sequence[Key], *, alone: float, together: float) -> "Posterior":
        """Return the belief after some have changed by chance, each with a variance and all together with another."""
        covariance = self.covariance.copy()
        at = self._at(keys)
        covariance[np.ix_(at, at)] += together
        covariance[at, at] += alone
        return self._replace(covariance=covariance)

    def after(self, evidence: Evidence) -> "Posterior":
        """Return what the belief is once the evidence is known, all of whose keys it has."""
        if not evidence.keys:
            return self
        active = self._at(evidence.keys)
        point = map_estimate(evidence, self.mean[active], self.covariance[np.ix_(active, active)])
        told = evidence.information(point)
        information = self.information.copy()
        information[active] += np.diag(told)
        return self._replace(
            mean=self.mean + self.covariance[:, active] @ evidence.slopes(point),
            covariance=_narrowed(self.covariance, active, told),
            information=information,
        )

    def _at(self, keys: Sequence[Key]) -> Integers:
        return np.array([self.places[key] for key in keys], dtype=np.int64)


def _narrowed(covariance: Floats, active: Integers, told: Floats) -> Floats:
    """Return a covariance after information on the active, by the lemma of Woodbury."""
    others = np.setdiff1d(np.arange(len(covariance)), active)
    order = np.concatenate([active, others])
    count, beside = len(active), covariance[np.ix_(active, order)]
    after = np.linalg.solve(np.eye(count) + beside[:, :count] @ told, beside)
    narrowed = np.empty_like(covariance)
    narrowed[np.ix_(active, order)] = after
    narrowed[np.ix_(others, active)] = after[:, count:].T
    narrowed[np.ix_(others, others)] = covariance[np.ix_(others, others)] - beside[:, count:].T @ (
        told @ after[:, count:]
    )
    return (narrowed + narrowed.T) / 2
