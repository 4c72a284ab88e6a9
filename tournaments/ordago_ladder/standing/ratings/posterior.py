"""Gaussian posterior over the strengths of players and the effects of seats, updated by results.

Pairings are modelled as in ``fit``. The prior is a normal distribution with a full covariance matrix. The posterior is
approximated by a normal distribution around its maximum (``map_estimate``), with the curvature there.

A point is written as the mean of the prior plus the product of its covariance with a vector, the **pull**. So the
covariance is never inverted, and a strength that is known exactly, with a variance of zero, stays as it is.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import LONGEST_STEP, MOST_STEPS, SHORTEST_STEP, Floats, Integers
from ordago_ladder.standing.ratings.evidence import Evidence, Key

_REST: Final = 1e-20
"""The conjugate gradients stop when this share of the squared residual is left."""


class _Step(NamedTuple):
    of_point: Floats
    of_pull: Floats


def map_estimate(evidence: Evidence, mean: Floats, covariance: Floats) -> Floats:
    """Return the maximum of the posterior by Newton's method, with bounded steps so that it cannot diverge."""
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
    """Return Newton's step by conjugate gradients, preconditioned with the covariance of the prior."""
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
    """The prior of a key that enters."""

    key: Key
    mean: float
    variance: float
    """The variance of the strength or, with a predecessor, of the difference from its strength."""
    predecessor: Key | None = None
    """The key near which it begins; ``mean`` is the difference from it then."""


class Posterior(NamedTuple):
    """A normal distribution of strengths and seat effects."""

    places: Mapping[Key, int]
    """The index of each key, player or seat, in the arrays."""
    mean: Floats
    covariance: Floats
    information: Floats
    """The information that results gave about each key: the inverse of its variance if all others were known."""

    def __deepcopy__(self, _known: dict[int, object]) -> "Posterior":
        # Its large arrays are never changed, so copies can share them.
        return self

    @classmethod
    def of_nothing(cls) -> "Posterior":
        """Return the posterior without keys."""
        return cls({}, np.zeros(0), np.zeros((0, 0)), np.zeros(0))

    def joined(self, beginnings: Sequence[Beginning]) -> "Posterior":
        """Return the posterior with more keys. Each has to come after its predecessor."""
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
        """Return the posterior without some keys."""
        keys = [key for key in self.places if key not in gone]
        stay = self._at(keys)
        places = {key: place for place, key in enumerate(keys)}
        return Posterior(places, self.mean[stay], self.covariance[np.ix_(stay, stay)], self.information[stay])

    def walked(self, keys: Sequence[Key], *, alone: float, together: float) -> "Posterior":
        """Return the posterior after a random walk of keys, with the variance of each alone and of all together."""
        covariance = self.covariance.copy()
        at = self._at(keys)
        covariance[np.ix_(at, at)] += together
        covariance[at, at] += alone
        return self._replace(covariance=covariance)

    def after(self, evidence: Evidence) -> "Posterior":
        """Return the posterior given evidence. It has to have all keys of the evidence."""
        if not evidence.keys:
            return self
        active = self._at(evidence.keys)
        point = map_estimate(evidence, self.mean[active], self.covariance[np.ix_(active, active)])
        gained = evidence.information(point)
        information = self.information.copy()
        information[active] += np.diag(gained)
        return self._replace(
            mean=self.mean + self.covariance[:, active] @ evidence.slopes(point),
            covariance=_narrowed(self.covariance, active, gained),
            information=information,
        )

    def _at(self, keys: Sequence[Key]) -> Integers:
        return np.array([self.places[key] for key in keys], dtype=np.int64)


def _narrowed(covariance: Floats, active: Integers, gained: Floats) -> Floats:
    """Return a covariance after information about the active keys, by the Woodbury identity."""
    others = np.setdiff1d(np.arange(len(covariance)), active)
    order = np.concatenate([active, others])
    count, columns = len(active), covariance[np.ix_(active, order)]
    after = np.linalg.solve(np.eye(count) + columns[:, :count] @ gained, columns)
    narrowed = np.empty_like(covariance)
    narrowed[np.ix_(active, order)] = after
    narrowed[np.ix_(others, active)] = after[:, count:].T
    narrowed[np.ix_(others, others)] = covariance[np.ix_(others, others)] - columns[:, count:].T @ (
        gained @ after[:, count:]
    )
    return (narrowed + narrowed.T) / 2
