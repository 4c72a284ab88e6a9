"""Covariance of a fit by the sandwich estimator over duplicate sets, robust where sets are few or all alike.

The variance is estimated from the differences between sets, since the matches of a set share their deals. Where an
entrant has few sets, or few informative ones, that estimate is poor, and it is zero where all sets are alike. So it is
mixed with the variance that the model expects of independent pairings, as if ``_PRIOR_SETS`` more sets had shown
that. These sets count as degrees of freedom of Student's distribution too.
"""

from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import Evidence, Floats, Integers, expectations, squared

_PRIOR_SETS: Final = 2.0
_NUMBERS_AT_ONCE: Final = 4_000_000
"""The numbers held at once for the residuals of sets: 32 megabytes."""


class Uncertainty(NamedTuple):
    """Errors of the strengths of a fit."""

    covariance: Floats
    """The covariance of the errors of each pair of entrants."""
    information: Floats
    """The information about each entrant: the inverse of its variance if all others were known."""
    freedom: Floats
    """The degrees of freedom of each entrant's estimated variance, at least two."""


def uncertainty_of(evidence: Evidence, point: Floats) -> Uncertainty:
    """Return the errors of the strengths at the fit ``point``."""
    entrants = len(evidence.entrants)
    expected = expectations(evidence, point[np.newaxis])[0]
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds))
    borne = counts * evidence.weights * expected * (1 - expected)
    information, weighted = squared(evidence, np.array([borne, borne * evidence.weights]))
    seen, sets = _seen(evidence, expected)
    share = _PRIOR_SETS / (_PRIOR_SETS + sets)
    precision = np.diag(evidence.spreads**-2)
    variance = precision + weighted * _without_ties(evidence, expected) * _roots(share) + seen * _roots(1 - share)
    covariance = np.zeros_like(variance)
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    inverse = np.linalg.inv((information + precision)[free])
    covariance[free] = inverse @ variance[free] @ inverse
    return Uncertainty(
        covariance=covariance[:entrants, :entrants],
        information=np.diag(information)[:entrants],
        freedom=_PRIOR_SETS + np.maximum(sets[:entrants] - 1, 0),
    )


def _without_ties(evidence: Evidence, expected: Floats) -> float:
    """Return the share of the model's variance that ties leave: a tie takes away a quarter, as it is no coin toss.

    Four pairings without a tie are added, so that the share stays above zero where all pairings were ties.
    """
    borne = (expected * (1 - expected))[evidence.kind_numbers].sum() + 4 / 4
    return float(max(0.0, 1 - (evidence.wins == 0.5).sum() / 4 / borne))


def _roots(shares: Floats) -> Floats:
    """Return factors that scale a covariance by a share for each column and keep it positive semidefinite."""
    return np.sqrt(np.outer(shares, shares))


def _seen(evidence: Evidence, expected: Floats) -> tuple[Floats, Floats]:
    """Return the covariance of the sets' residuals, and the effective number of sets for each entrant and effect.

    A set counts by the information of its pairings: for an entrant that always loses, a thousand sets tell little.
    Where sets differ in information, the effective number is that of equal sets worth as much (Kish).
    """
    columns = len(evidence.spreads)
    seen = np.zeros((columns, columns))
    information, squares = np.zeros(columns), np.zeros(columns)
    step = max(1, _NUMBERS_AT_ONCE // max(1, columns))
    for first in range(0, evidence.sets, step):
        rows = slice(*np.searchsorted(evidence.set_numbers, (first, first + step)))
        kinds = evidence.kind_numbers[rows]
        residuals = evidence.weights[kinds] * (evidence.wins[rows] - expected[kinds])
        borne = 4 * (evidence.weights * expected * (1 - expected))[kinds]
        said, tells = _by_set(evidence, evidence.set_numbers[rows] - first, kinds, residuals, borne)
        seen += said.T @ said
        information += tells.sum(axis=0)
        squares += (tells**2).sum(axis=0)
    return seen, np.minimum(information, information**2 / np.maximum(squares, np.finfo(np.float64).tiny))


def _by_set(
    evidence: Evidence, sets: Integers, kinds: Integers, residuals: Floats, borne: Floats
) -> tuple[Floats, Floats]:
    """Return the residuals, and the information, of pairings summed by set (row) and by entrant and effect (column)."""
    columns, design = len(evidence.spreads), evidence.design
    size = (1 + sets.max(initial=-1)) * columns
    said, information = np.zeros(size), np.zeros(size)
    ends = np.append(design.starts[1:], len(design.columns))
    for place in range((ends - design.starts).max(initial=0)):
        entries = np.minimum(design.starts + place, ends - 1)
        factors = np.where(design.starts + place < ends, design.factors[entries], 0)[kinds]
        cells = sets * columns + design.columns[entries][kinds]
        said += np.bincount(cells, weights=factors * residuals, minlength=size)
        information += np.bincount(cells, weights=factors**2 * borne, minlength=size)
    return said.reshape(-1, columns), information.reshape(-1, columns)
