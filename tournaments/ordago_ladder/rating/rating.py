"""Ratings: one joint fit of all results (see ``fit``), with intervals from the differences between duplicate sets.

Ratings are a pure function of the results, whatever their order. docs/ratings.md gives the reasons: the anchor, the
source of the intervals, and their measured coverage.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.rating.dispersion import Scatter, scatter_of, with_dispersion
from ordago_ladder.rating.fit import ELO, Evidence, Floats, evidence_of, fit, logistic
from ordago_ladder.rating.intervals import NORMAL_95, Interval, likelihood_above_zero, student_95
from ordago_ladder.rating.known import MOST_SAID, Known, Note, bound, known
from ordago_ladder.rating.results import Pairing
from ordago_ladder.rating.spreads import USUAL, Spreads, spreads_of, with_spreads
from ordago_ladder.rating.uncertainty import Uncertainty, uncertainty_of


class Connectivity(NamedTuple):
    """Connected components of the entrants of an event, by their rated results."""

    groups: tuple[tuple[str, ...], ...]
    """Entrants that have met, directly or through others. Between groups ratings cannot be compared."""
    tiers: tuple[tuple[str, ...], ...]
    """Entrants that have all taken a win or a tie from one another, directly or through others. Between two tiers of a
    group one has won everything, so that the distance between them rests on the prior of the fit."""


def connectivity(evidence: Evidence) -> Connectivity:
    """Return the groups and tiers of the entrants, ascending. A result of a side counts for each of its partners."""
    names = evidence.entrants
    number = {name: index for index, name in enumerate(names)}
    took = np.eye(len(names), dtype=np.bool_)
    met = took.copy()
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds))
    wins = np.bincount(evidence.kind_numbers, weights=evidence.wins, minlength=len(evidence.kinds))
    for kind, some, all_won in zip(evidence.kinds, wins > 0, wins == counts, strict=True):
        for one, other in itertools.product(kind.first, kind.second):
            first, second = number[one], number[other]
            met[first, second] = met[second, first] = True
            took[first, second] |= some
            took[second, first] |= not all_won
    return Connectivity(groups=_mutual(met, names), tiers=_mutual(took, names))


def _mutual(related: NDArray[np.bool_], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the strongly connected components of a relation, as names in ascending order."""
    reached = related.copy()
    for through in range(len(names)):
        reached |= np.outer(reached[:, through], reached[through])
    both = reached & reached.T
    return tuple(sorted({tuple(name for name, holds in zip(names, row, strict=True) if holds) for row in both}))


ANCHOR: Final = 1500.0
"""The mean rating of entrants that have met, each weighted by the information that the results give about it."""

Matrix = tuple[tuple[float | None, ...], ...]
"""A number for each pair of entrants; ``None`` on the diagonal and where they cannot be compared."""

# Finer than what is published, and coarser than the rounding errors of the fit.
_DECIMALS: Final = 6


class Rating(NamedTuple):
    """The rating of an entrant."""

    entrant: str
    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    above_next: float | None
    """The likelihood of being better than the next in the list; ``None`` for the last, and where the two cannot be
    compared."""
    known: Known
    """The part of it that may be said."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


class SeatEffect(NamedTuple):
    """The advantage of a seat, or in a game with partners of a side."""

    game: str
    side: int
    """The side at the table, from 0 in the order of its first seat."""
    elo: float
    """The advantage in points of Elo; over the sides of a game they add up to zero."""


class Ratings(NamedTuple):
    """The ratings of an event."""

    ratings: tuple[Rating, ...]
    """Best first; equal ratings by name. Entrants that met nobody come last."""
    seat_effects: tuple[SeatEffect, ...]
    """For each game and side, ascending."""
    connectivity: Connectivity
    """The groups of entrants whose ratings can be compared."""
    superiority: Matrix
    """The likelihood that each is better than each other, both in the order of the ratings."""
    half_lengths: Matrix
    """Half the length of the 95 % interval of the difference of each pair, in the same order."""
    shares: tuple[float, ...]
    """The weight of each entrant in the mean that anchors its group, in the same order. In a group they add up to one;
    they are zero where entrants with known ratings are the anchors, and for an entrant that met none."""
    spreads: Spreads
    """The spreads of strengths and seat effects that the ratings assume."""

    def difference(self, one: str, other: str) -> Interval | None:
        """Return the lead of the first entrant over the second in Elo; ``None`` where they cannot be compared."""
        order = [rating.entrant for rating in self.ratings]
        row, column = order.index(one), order.index(other)
        half_length = self.half_lengths[row][column]
        if half_length is None:
            return None
        value = self.ratings[row].elo - self.ratings[column].elo
        return Interval(value, value - half_length, value + half_length)


def rate(
    pairings: Iterable[Pairing],
    *,
    entrants: Iterable[str],
    anchors: Mapping[str, float] | None = None,
    equal_games: bool = False,
    spreads: Spreads | None = None,
) -> Ratings:
    """Return the ratings of entrants from pairings, which may come in any order.

    Args:
        pairings: the pairings; those that are not rated do not count.
        entrants: the names of all entrants.
        anchors: the known ratings in Elo, by entrant.
        equal_games: weigh all games the same; otherwise all pairings.
        spreads: the spreads of strengths and seat effects; ``None`` to fit them to the pairings.
    """
    strengths = {name: (elo - ANCHOR) / ELO for name, elo in (anchors or {}).items()}
    evidence = evidence_of(pairings, entrants=entrants, anchors=strengths, equal_games=equal_games)
    scatter = scatter_of(with_spreads(evidence, strengths=USUAL.strengths, seats=USUAL.seats))
    evidence = with_dispersion(evidence, scatter.dispersion)
    spreads = spreads or spreads_of(evidence)
    evidence = with_spreads(evidence, strengths=spreads.strengths, seats=spreads.seats)
    point = fit(evidence)
    hanging = connectivity(evidence)
    uncertainty = _uncertainty(evidence, point, scatter, spreads)
    shares = _shares(evidence, uncertainty.information, hanging)
    elos, errors = _referred(point, uncertainty, shares, spread=spreads.wide)
    field = _field_of(evidence, hanging, wide=spreads.wide, anchors=anchors or {})
    order = sorted(range(len(elos)), key=lambda index: (evidence.entrants[index] in field.alone, -elos[index], index))
    superiority = _matrix(errors.superiority, hanging, order, evidence.entrants)
    effects = zip(evidence.seats, point[len(evidence.entrants) :], strict=True)
    return Ratings(
        ratings=_ratings(evidence.entrants, elos, errors, order, superiority, field),
        seat_effects=tuple(SeatEffect(game, side, float(effect * ELO)) for (game, side), effect in effects),
        connectivity=hanging,
        superiority=superiority,
        half_lengths=_matrix(errors.of_differences, hanging, order, evidence.entrants),
        shares=tuple(float(shares[index, index]) for index in order),
        spreads=spreads,
    )


def _uncertainty(evidence: Evidence, point: Floats, scatter: Scatter, spreads: Spreads) -> Uncertainty:
    """Return the errors of strengths whose spread is not known exactly: those under a wide one, and how far they go."""
    wide = with_spreads(evidence, strengths=spreads.wide, seats=spreads.seats)
    uncertainty = uncertainty_of(wide, point, scatter)
    moved = (fit(wide) - point)[: len(evidence.entrants)]
    return uncertainty._replace(covariance=uncertainty.covariance + np.outer(moved, moved))


class _Errors(NamedTuple):
    """Errors of ratings, in the order of the entrants' names."""

    half_lengths: Floats
    """Half the length of the interval of each rating."""
    of_differences: Floats
    """Half the length of the interval of the difference of each pair."""
    superiority: Floats
    """The likelihood that one is better than the other."""


def _referred(point: Floats, uncertainty: Uncertainty, shares: Floats, *, spread: float) -> tuple[Floats, _Errors]:
    """Return the ratings relative to the anchors, and their errors, in the order of the entrants' names."""
    most = NORMAL_95 * spread
    references = np.eye(len(shares)) - shares
    strengths = references @ point[: len(shares)]
    own = np.diag(references @ uncertainty.covariance @ references.T)
    variances = np.diag(uncertainty.covariance)
    between = variances[:, np.newaxis] + variances - 2 * uncertainty.covariance
    freedom = np.minimum.outer(uncertainty.freedom, uncertainty.freedom)
    elos = (ANCHOR + ELO * strengths).round(_DECIMALS)
    deviations = (ELO * np.sqrt(np.maximum(between, 0))).round(_DECIMALS)
    return elos, _Errors(
        half_lengths=_half_lengths(ELO * np.sqrt(np.maximum(own, 0)), uncertainty.freedom, most=most),
        of_differences=_half_lengths(deviations, freedom, most=2.0**0.5 * most),
        superiority=_superiority((elos[:, np.newaxis] - elos) / ELO, deviations / ELO, freedom),
    )


def _superiority(differences: Floats, deviations: Floats, freedom: Floats) -> Floats:
    """Return the likelihood that differences are above zero.

    They are compared on the arc sine scale, which stabilises the variance: an entrant that loses everything has a very
    uncertain rating, yet it is certain to be weaker.
    """
    shares = logistic(differences)
    arcs = 2 * np.arcsin(np.sqrt(shares)) - math.pi / 2
    arc_deviations = deviations * np.sqrt(shares * (1 - shares))
    likelihoods = np.vectorize(likelihood_above_zero, otypes=[float])(arcs, arc_deviations, freedom)
    rounded: Floats = likelihoods.round(_DECIMALS)
    return rounded


def _half_lengths(deviations: Floats, freedom: Floats, *, most: float) -> Floats:
    """Return half the lengths of intervals, in Elo, each at most ``most``, that of the prior."""
    lengths = np.minimum(student_95(freedom) * deviations, most)
    rounded: Floats = lengths.round(_DECIMALS)
    return rounded


def _shares(evidence: Evidence, information: Floats, hanging: Connectivity) -> Floats:
    """Return for each entrant (row) the weight of every entrant (column) in the mean that it is rated against.

    It is the mean of the entrants that have met, weighted by information. So it is well known: an entrant that loses
    everything, with a very uncertain rating, hardly counts. Groups with an anchor need no mean, and an entrant that
    met none has none; their rows are zero.
    """
    columns = {name: column for column, name in enumerate(evidence.entrants)}
    shares = np.zeros((len(columns), len(columns)))
    for group in hanging.groups:
        members = [columns[name] for name in group]
        if len(members) > 1 and not evidence.fixed[members].any():
            shares[np.ix_(members, members)] = information[members] / information[members].sum()
    return shares.round(_DECIMALS)


def _matrix(values: Floats, hanging: Connectivity, order: Sequence[int], entrants: Sequence[str]) -> Matrix:
    """Return the values in this order of entrants, with ``None`` where two cannot be compared."""
    groups = {name: number for number, group in enumerate(hanging.groups) for name in group}
    comparable = [[groups[one] == groups[other] and one != other for other in entrants] for one in entrants]
    return tuple(
        tuple(float(values[row, column]) if comparable[row][column] else None for column in order) for row in order
    )


class _Field(NamedTuple):
    """All that decides, beside its interval, how much of a rating may be said."""

    scores: Mapping[str, float]
    """The share that each entrant won of its rated pairings, of those that have any."""
    compared: frozenset[str]
    """The entrants on the common scale."""
    alone: frozenset[str]
    """The entrants that met nobody, except anchors."""
    middle: float
    """The mean that ratings are measured from, in Elo."""
    most: float
    """Half the length of the shortest interval that goes without a number."""

    def known(self, entrant: str, elo: float, half_length: float) -> Known:
        """Return the part of a rating that may be said."""
        low, high = elo - half_length, elo + half_length
        if entrant in self.alone:
            return Known(Note.TOO_FEW)
        if entrant not in self.compared:
            return Known(Note.APART)
        said = known(elo, low, high, most=self.most)
        if said.elo is not None:
            return said
        score = self.scores[entrant]
        only = list(self.scores.values()).count(score) == 1
        return bound(low, high, score=score, middle=self.middle, only=only)


def _field_of(evidence: Evidence, hanging: Connectivity, *, wide: float, anchors: Mapping[str, float]) -> _Field:
    scales = [group for group in hanging.groups if anchors.keys() & group or (len(group) > 1 and not anchors)]
    # Groups with an anchor are on one scale. Without anchors each group has a mean of its own.
    compared = scales if anchors or len(scales) == 1 else []
    return _Field(
        scores=_scores(evidence),
        compared=frozenset(name for group in compared for name in group),
        alone=frozenset(group[0] for group in hanging.groups if len(group) == 1) - anchors.keys(),
        middle=math.fsum(anchors.values()) / len(anchors) if anchors else ANCHOR,
        # Student's factor may lengthen an interval to that of the prior, which says nothing. One percent is rounding.
        most=min(MOST_SAID, 0.99 * NORMAL_95 * wide),
    )


def _scores(evidence: Evidence) -> dict[str, float]:
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    counts = np.bincount(evidence.kind_numbers, minlength=len(evidence.kinds)).tolist()
    wins = (2 * np.bincount(evidence.kind_numbers, weights=evidence.wins, minlength=len(evidence.kinds))).tolist()
    for kind, number, half_points in zip(evidence.kinds, counts, wins, strict=True):
        won.update(dict.fromkeys(kind.first, int(half_points)))
        won.update(dict.fromkeys(kind.second, 2 * number - int(half_points)))
        played.update(dict.fromkeys((*kind.first, *kind.second), 2 * number))
    return {name: won[name] / number for name, number in played.items()}


def _ratings(
    entrants: Sequence[str],
    elos: Floats,
    errors: _Errors,
    order: Sequence[int],
    superiority: Matrix,
    field: _Field,
) -> tuple[Rating, ...]:
    return tuple(
        Rating(
            entrant=entrants[index],
            elo=float(elos[index]),
            low=float(elos[index] - errors.half_lengths[index]),
            high=float(elos[index] + errors.half_lengths[index]),
            above_next=superiority[place][place + 1] if place + 1 < len(order) else None,
            known=field.known(entrants[index], float(elos[index]), float(errors.half_lengths[index])),
        )
        for place, index in enumerate(order)
    )
