"""How well strengths are known: the covariance of a fit, honest where sets are few or say all the same.

The variance of what the sets say is taken from how much they differ, since the matches of a set have their deals in
common. Where an entrant has few sets, or few that tell anything, that is a poor estimate, and zero where all say the
same. So it is mixed with what the model expects of independent pairings, as if ``_PRIOR_SETS`` more sets had shown
that, and these count as degrees of freedom of Student's distribution too.
"""

from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import Evidence, Floats, Integers, expectations, squared

_PRIOR_SETS: Final = 2.0
_NUMBERS_AT_ONCE: Final = 4_000_000


class Uncertainty(NamedTuple):
    """How well the strengths of a fit are known."""

    covariance: Floats
    """The covariance of the errors of each two entrants."""
    information: Floats
    """What the results say of each entrant: the inverse of a variance, were all others known."""
    freedom: Floats
    """The degrees of freedom that the variance of each entrant is known with, at least two."""


def uncertainty_of(evidence: Evidence, point: Floats) -> Uncertainty:
    """Return how well the strengths of a fit are known."""
    entrants = len(evidence.entrants)
    expected = expectations(evidence, point[np.newaxis])[0]
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds))
    borne = counts * evidence.weights * expected * (1 - expected)
    told, weighted = squared(evidence, np.array([borne, borne * evidence.weights]))
    seen, sets = _seen(evidence, expected)
    share = _PRIOR_SETS / (_PRIOR_SETS + sets)
    precision = np.diag(evidence.spreads**-2)
    variance = precision + weighted * _without_ties(evidence, expected) * _roots(share) + seen * _roots(1 - share)
    covariance = np.zeros_like(variance)
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    inverse = np.linalg.inv((told + precision)[free])
    covariance[free] = inverse @ variance[free] @ inverse
    return Uncertainty(
        covariance=covariance[:entrants, :entrants],
        information=np.diag(told)[:entrants],
        freedom=_PRIOR_SETS + np.maximum(sets[:entrants] - 1, 0),
    )


def _without_ties(evidence: Evidence, expected: Floats) -> float:
    """Return the share of the variance that is left where ties are no coin tosses: each takes away a quarter.

    Four more pairings without a tie are reckoned with, so that something is left where there was nothing but ties.
    """
    borne = (expected * (1 - expected))[evidence.kind_numbers].sum() + 4 / 4
    return float(max(0.0, 1 - (evidence.wins == 0.5).sum() / 4 / borne))


def _roots(shares: Floats) -> Floats:
    """Return factors that take from a covariance a share for each column, and leave it one."""
    return np.sqrt(np.outer(shares, shares))


def _seen(evidence: Evidence, expected: Floats) -> tuple[Floats, Floats]:
    """Return the covariance of what the sets say, and how many of them speak of each entrant and effect.

    A set counts by what its pairings can tell, and no more than these: of somebody who always loses, a thousand tell
    little. Where some tell more than others, as many equal ones are counted as would be worth the same.
    """
    columns = len(evidence.spreads)
    seen = np.zeros((columns, columns))
    told, told_squares = np.zeros(columns), np.zeros(columns)
    step = max(1, _NUMBERS_AT_ONCE // max(1, columns))
    for first in range(0, evidence.sets, step):
        rows = slice(*np.searchsorted(evidence.set_numbers, (first, first + step)))
        kinds = evidence.kind_numbers[rows]
        residuals = evidence.weights[kinds] * (evidence.wins[rows] - expected[kinds])
        borne = 4 * (evidence.weights * expected * (1 - expected))[kinds]
        said, tells = _by_set(evidence, evidence.set_numbers[rows] - first, kinds, residuals, borne)
        seen += said.T @ said
        told += tells.sum(axis=0)
        told_squares += (tells**2).sum(axis=0)
    return seen, np.minimum(told, told**2 / np.maximum(told_squares, np.finfo(np.float64).tiny))


def _by_set(
    evidence: Evidence, sets: Integers, kinds: Integers, residuals: Floats, borne: Floats
) -> tuple[Floats, Floats]:
    """Return residuals, and the information borne, of pairings summed for each set and each entrant and effect."""
    columns, design = len(evidence.spreads), evidence.design
    size = (1 + sets.max(initial=-1)) * columns
    said, told = np.zeros(size), np.zeros(size)
    ends = np.append(design.starts[1:], len(design.columns))
    for place in range((ends - design.starts).max(initial=0)):
        entries = np.minimum(design.starts + place, ends - 1)
        factors = np.where(design.starts + place < ends, design.factors[entries], 0)[kinds]
        cells = sets * columns + design.columns[entries][kinds]
        said += np.bincount(cells, weights=factors * residuals, minlength=size)
        told += np.bincount(cells, weights=factors**2 * borne, minlength=size)
    return said.reshape(-1, columns), told.reshape(-1, columns)
