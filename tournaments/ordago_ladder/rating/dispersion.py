"""The dispersion of results: their variance as a multiple of that of independent pairings, fitted to sets.

Pairings of one table share the performances of its sides, and matches of a set share their deals and how entrants take
to them. A fit that counts them as independent believes too few results too much: it takes chance for skill, so that
the spread of strengths becomes too wide. So all weights are divided by the dispersion (a quasi-likelihood). It may be
below 1: ties and duplicate deals make results more alike than tosses of a coin. research/ratings.md shows what this
brings, and why Plackett and Luce's model of whole placings brings no more.
"""

from collections import Counter
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import Evidence, Floats, Integers, expectations, fit, squared

_PRIOR_RESIDUALS: Final = 8.0
"""The independent residuals that the prior of the dispersion counts as.

With 4 the ratings of two sets at tables of two are off by 4 % more; at larger tables the two do equally well.
"""
_TINY: Final = float(np.finfo(np.float64).tiny)
_LEAST_LEFT: Final = 0.25
"""The least share of the variance that residuals are taken to show: where a fit follows nearly all of it, they show
nothing."""
_NUMBERS_AT_ONCE: Final = 4_000_000
"""The numbers held at once for the residuals of sets: 32 megabytes."""


class Scatter(NamedTuple):
    """The differences between duplicate sets."""

    covariance: Floats
    """The covariance of the sums of sets, for entrants and then seats, before weights are divided by the dispersion."""
    sets: Floats
    """The effective number of sets of each."""
    dispersion: float


def with_dispersion(evidence: Evidence, dispersion: float) -> Evidence:
    """Return the evidence, which has none yet, with its weights divided by a dispersion."""
    return replace(evidence, weights=evidence.weights / dispersion, dispersion=dispersion)


def borne_by(evidence: Evidence, expected: Floats) -> Floats:
    """Return the information that the pairings of each kind bear."""
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds))
    borne: Floats = counts * evidence.weights * expected * (1 - expected)
    return borne


def scatter_of(evidence: Evidence) -> Scatter:
    """Return the differences between sets about a fit of the evidence, and the dispersion that they show."""
    expected = expectations(evidence, fit(evidence)[np.newaxis])[0]
    borne = borne_by(evidence, expected)
    information, variance = squared(evidence, np.array([borne, borne * evidence.weights]))
    seen = _seen(evidence, expected)
    fitted = _fitted(evidence, information)
    covariance = seen.covariance / max(_LEAST_LEFT, 1 - fitted / max(1, seen.residuals))
    freedom = max(0.0, seen.residuals - fitted)
    usual = _usual(evidence, expected, borne * evidence.weights)
    shown = _shown(covariance, variance, seen.sets, entrants=len(evidence.entrants))
    dispersion = (_PRIOR_RESIDUALS * usual + freedom * shown) / (_PRIOR_RESIDUALS + freedom)
    return Scatter(covariance, seen.sets, dispersion)


def _fitted(evidence: Evidence, information: Floats) -> float:
    """Return the number of residuals that the fit uses up: the effective number of parameters."""
    free = np.ix_(~evidence.fixed, ~evidence.fixed)
    precision = np.diag(evidence.spreads**-2)[free]
    return float(np.trace(np.linalg.solve(information[free] + precision, information[free])))


def _shown(covariance: Floats, variance: Floats, sets: Floats, *, entrants: int) -> float:
    """Return the dispersion of the entrants' results, each weighted by its effective sets.

    One that always loses hardly counts: its results vary less than any model expects.
    """
    ratios = np.diag(covariance) / np.maximum(np.diag(variance), _TINY)
    return float(ratios[:entrants] @ sets[:entrants] / max(float(sets[:entrants].sum()), _TINY))


def _usual(evidence: Evidence, expected: Floats, weights: Floats) -> float:
    """Return the dispersion of whole tables without duplicates.

    Between equals two pairings of one side have a covariance of 1/12, so that the dispersion is (sides + 1) / 3. Far
    apart it is 1: then pairings are decided by differences of strength, and have nothing to do with each other.
    """
    sides = Counter(game for game, _ in evidence.seats)
    others = np.array([sides[kind.game] - 2 for kind in evidence.kinds])
    covaried = float((weights * others * 4 * expected * (1 - expected)).sum()) / 3
    return 1 + covaried / max(float(weights.sum()), _TINY)


class _Seen(NamedTuple):
    covariance: Floats
    sets: Floats
    residuals: float
    """The effective number of independent residuals: in each set one less than it has entrants, but half of them at
    least, for sides of partners. Beside anchors, whose strengths are known, those of all others are independent.
    """


def _seen(evidence: Evidence, expected: Floats) -> _Seen:
    """Return the covariance of the sets' residuals, and the effective number of sets for each entrant and effect.

    A set counts by the information of its pairings: for an entrant that always loses, a thousand sets tell little.
    Where sets differ in information, the effective number is that of equal sets worth as much (Kish).
    """
    columns, entrants = len(evidence.spreads), len(evidence.entrants)
    seen = np.zeros((columns, columns))
    # The last column is that of whole sets.
    information, squares = np.zeros(columns + 1), np.zeros(columns + 1)
    step = max(1, _NUMBERS_AT_ONCE // max(1, columns))
    for first in range(0, evidence.sets, step):
        rows = slice(*np.searchsorted(evidence.set_numbers, (first, first + step)))
        kinds = evidence.kind_numbers[rows]
        residuals = evidence.weights[kinds] * (evidence.wins[rows] - expected[kinds])
        borne = 4 * (evidence.weights * expected * (1 - expected))[kinds]
        said, tells = _by_set(evidence, evidence.set_numbers[rows] - first, kinds, residuals, borne)
        tells = np.column_stack([tells, tells[:, :entrants].sum(axis=1)])
        seen += said.T @ said
        information += tells.sum(axis=0)
        squares += (tells**2).sum(axis=0)
    sets = np.minimum(information, information**2 / np.maximum(squares, _TINY))
    of_entrants = float(sets[:entrants][~evidence.fixed[:entrants]].sum())
    dependent = 0.0 if evidence.fixed.any() else min(float(sets[-1]), of_entrants / 2)
    return _Seen(seen, sets[:-1], of_entrants - dependent)


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
