"""Covariance of a fit by the sandwich estimator over duplicate sets, robust where sets are few or all alike.

The variance is estimated from the differences between sets, since the matches of a set share their deals. Where an
entrant has few sets, or few informative ones, that estimate is poor. So it is mixed with the variance of independent
pairings times the fitted ``dispersion``, as if ``PRIOR_SETS`` more sets had shown that. These sets count as degrees of
freedom of Student's distribution too.
"""

from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.dispersion import Scatter, borne_by
from ordago_ladder.rating.fit import Evidence, Floats, expectations, squared

PRIOR_SETS: Final = 5.0
"""The dispersion rests on all sets together, so it outweighs what two or three sets of one entrant seem to show."""


class Uncertainty(NamedTuple):
    """Errors of the strengths of a fit."""

    covariance: Floats
    """The covariance of the errors of each pair of entrants."""
    information: Floats
    """The information about each entrant: the inverse of its variance if all others were known."""
    freedom: Floats
    """The degrees of freedom of each entrant's estimated variance, at least five."""


def uncertainty_of(evidence: Evidence, point: Floats, scatter: Scatter) -> Uncertainty:
    """Return the errors of the strengths at the fit ``point``."""
    entrants, sets = len(evidence.entrants), scatter.sets
    borne = borne_by(evidence, expectations(evidence, point[np.newaxis])[0])
    information, variance = squared(evidence, np.array([borne, borne * evidence.weights * evidence.dispersion]))
    share = PRIOR_SETS / (PRIOR_SETS + sets)
    precision = np.diag(evidence.spreads**-2)
    seen = scatter.covariance / evidence.dispersion**2
    mixed = precision + variance * _roots(share) + seen * _roots(1 - share)
    covariance = np.zeros_like(mixed)
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    inverse = np.linalg.inv((information + precision)[free])
    covariance[free] = inverse @ mixed[free] @ inverse
    return Uncertainty(
        covariance=covariance[:entrants, :entrants],
        information=np.diag(information)[:entrants],
        freedom=PRIOR_SETS + np.maximum(sets[:entrants] - 1, 0),
    )


def _roots(shares: Floats) -> Floats:
    """Return factors that scale a covariance by a share for each column and keep it positive semidefinite."""
    return np.sqrt(np.outer(shares, shares))
