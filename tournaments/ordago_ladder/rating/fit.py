"""The fit behind the ratings: strengths and seat effects from all pairings at once.

The model is that of Bradley and Terry. The expected score of the first of two sides is 1 / (1 + exp(-d)), where
d = strength of the first + effect of its seats - strength of the second - effect of its seats. The strength of a side
is the mean of those of its partners. A tie counts as half a win and half a loss. Strengths and effects have a weak
prior, normal around zero or around the mean of the anchors, which keeps them finite for entrants that won or lost
everything. The fit is the maximum of the posterior (MAP), found by Newton's method.

Pairings are sorted before anything is added up, so that the fit is the same to the last bit in any order of results.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.rating.results import Kind, Pairing

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Entries(NamedTuple):
    """Entries of a sparse matrix; those at the same place add up."""

    rows: Integers
    columns: Integers
    factors: Floats


class SparseMatrix(NamedTuple):
    """A sparse matrix, in the ascending order of its rows."""

    height: int
    """The number of rows."""
    filled: Integers
    """The rows that have entries, ascending."""
    starts: Integers
    """For each of these rows the index of its first entry."""
    columns: Integers
    """The column of each entry."""
    factors: Floats

    @classmethod
    def of(cls, entries: Entries, *, height: int) -> "SparseMatrix":
        """Return the matrix of entries, which may come in any order."""
        order = np.lexsort((entries.columns, entries.rows))
        filled, starts = np.unique(entries.rows[order], return_index=True)
        return cls(height, filled, starts, entries.columns[order], entries.factors[order])

    def times(self, vectors: Floats) -> Floats:
        """Return the product of the matrix with each vector; vectors and products are rows."""
        products = np.zeros((len(vectors), self.height))
        if len(self.filled):
            parts = np.take(vectors, self.columns, axis=1)
            parts *= self.factors
            products[:, self.filled] = np.add.reduceat(parts, self.starts, axis=1)
        return products


ELO: Final = 400 / math.log(10)
"""Points of Elo for a difference of 1 in strength."""

STRENGTH_SPREAD: Final = 800 / ELO
"""A wide standard deviation of the prior of a strength: 800 points of Elo, until it is fitted (``spreads``)."""
SEAT_SPREAD: Final = 200 / ELO
"""A wide standard deviation of the prior of a seat effect: 200 points of Elo."""
LONGEST_STEP: Final = 1.0
"""174 points of Elo. Newton's steps are cut to it, since far from the maximum they may diverge."""
SHORTEST_STEP: Final = 1e-6
"""A fit has converged after a shorter step: the next would be about its square."""
MOST_STEPS: Final = 200
"""A fit takes five to ten steps; the limit only ends one that rounding keeps from converging."""
_NUMBERS_AT_ONCE: Final = 2_000_000
"""The numbers held at once for the curvature of many fits: 16 megabytes."""

_KIND, _SET_KEY, _HALF_POINTS = map(itemgetter, map(Pairing._fields.index, ("kind", "set_key", "half_points")))
"""Getters of one field of a pairing each, for ``map``."""

_Different = TypeVar("_Different", bound=Hashable)
_Item = TypeVar("_Item", str, Kind)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The rated pairings of an event, by their kinds and duplicate sets."""

    entrants: tuple[str, ...]
    """The entrants, ascending."""
    seats: tuple[tuple[str, int], ...]
    """Each game and side that was played, ascending."""
    sets: int
    """The number of duplicate sets."""
    kinds: tuple[Kind, ...]
    """The kinds of pairings, ascending."""
    design: SparseMatrix
    """Design matrix. A row for each kind; columns for entrants (their share of the side), then seats; the second side's
    factors are negative."""
    slopes: SparseMatrix
    """The transpose of ``design``: a row for each entrant and seat."""
    squares: SparseMatrix
    """For each pair of columns of ``design`` their products by kind: the terms of the curvature."""
    spreads: Floats
    """The standard deviation of the prior, for each entrant, then each seat."""
    centres: Floats
    """The mean of the prior, in the same order: that of the anchors for entrants, or zero."""
    fixed: NDArray[np.bool_]
    """True for anchors: their strength is fixed at the mean of their prior."""
    set_numbers: Integers
    """For each pairing the number of its set, in ascending order of keys. Pairings are sorted by set, then by kind."""
    kind_numbers: Integers
    """For each pairing the number of its kind."""
    wins: Floats
    """For each pairing the score of the first: 1, 0.5 for a tie, or 0."""
    weights: Floats
    """The weight of a pairing of each kind."""
    dispersion: float = 1.0
    """The variance of results as a multiple of that of independent pairings; the weights are divided by it."""


def evidence_of(
    pairings: Iterable[Pairing],
    *,
    entrants: Iterable[str],
    anchors: Mapping[str, float] | None = None,
    equal_games: bool = False,
) -> Evidence:
    """Return the evidence of the rated pairings.

    Args:
        pairings: the pairings, in any order.
        entrants: the names of all entrants, in any order.
        anchors: the known strengths, by entrant.
        equal_games: weigh all games the same; otherwise all pairings.
    """
    rated = [pairing for pairing in pairings if pairing.rated]
    names = tuple(sorted(entrants))
    kinds, kind_numbers = _kinds(rated)
    sets, set_numbers = _numbered(map(_SET_KEY, rated), count=len(rated))
    set_numbers, kind_numbers, half_points = _sorted(set_numbers, kind_numbers, _half_points(rated))
    seats = tuple(sorted({seat for kind in kinds for seat in kind.seats}))
    entries = _entries(kinds, names, seats)
    columns = len(names) + len(seats)
    centres, fixed = _anchored(names, anchors or {}, columns=columns)
    return Evidence(
        entrants=names,
        seats=seats,
        sets=len(sets),
        kinds=kinds,
        design=SparseMatrix.of(entries, height=len(kinds)),
        slopes=SparseMatrix.of(Entries(entries.columns, entries.rows, entries.factors), height=columns),
        squares=SparseMatrix.of(_squared(entries, columns=columns), height=columns**2),
        spreads=np.array([STRENGTH_SPREAD] * len(names) + [SEAT_SPREAD] * len(seats)),
        centres=centres,
        fixed=fixed,
        set_numbers=set_numbers,
        kind_numbers=kind_numbers,
        wins=half_points / 2,
        weights=_weights(kinds, kind_numbers) if equal_games else np.ones(len(kinds)),
    )


def _anchored(
    entrants: Sequence[str], anchors: Mapping[str, float], *, columns: int
) -> tuple[Floats, NDArray[np.bool_]]:
    centres, fixed = np.zeros(columns), np.zeros(columns, dtype=np.bool_)
    if anchors:
        centres[: len(entrants)] = math.fsum(anchors.values()) / len(anchors)
    for name, strength in anchors.items():
        centres[entrants.index(name)], fixed[entrants.index(name)] = strength, True
    return centres, fixed


def _weights(kinds: Sequence[Kind], kind_numbers: Integers) -> Floats:
    """Return weights that make all games count the same and keep the sum over all pairings."""
    games, game_numbers = _numbered((kind.game for kind in kinds), count=len(kinds))
    counts = np.bincount(game_numbers[kind_numbers], minlength=len(games))
    weights: Floats = (len(kind_numbers) / (max(1, len(games)) * np.maximum(1, counts)))[game_numbers]
    return weights


def _kinds(rated: Sequence[Pairing]) -> tuple[tuple[Kind, ...], Integers]:
    """Return the kinds of pairings, ascending, and for each pairing the number of its kind."""
    # Most pairings of a kind share one object, and it is quicker to number objects by id than to hash their contents.
    objects, object_numbers = _in_order(map(id, map(_KIND, rated)), count=len(rated))
    one_of_each = np.empty(len(objects), dtype=np.int64)
    one_of_each[object_numbers] = np.arange(len(rated))
    kinds, kind_numbers = _numbered((rated[row].kind for row in one_of_each.tolist()), count=len(objects))
    return tuple(kinds), kind_numbers[object_numbers]


def _numbered(items: Iterable[_Item], *, count: int) -> tuple[list[_Item], Integers]:
    """Return the distinct items, ascending, and for each item its number among them."""
    # First numbers by appearance, then ranks: so each item is hashed only once.
    numbers, as_they_come = _in_order(items, count=count)
    different = sorted(numbers)
    ranks = np.empty(len(different), dtype=np.int64)
    ranks[[numbers[item] for item in different]] = np.arange(len(different))
    return different, ranks[as_they_come]


def _in_order(items: Iterable[_Different], *, count: int) -> tuple[Mapping[_Different, int], Integers]:
    """Number the distinct items by first appearance. Return these numbers, and for each item its number."""
    numbers: defaultdict[_Different, int] = defaultdict(itertools.count().__next__)
    return numbers, np.fromiter(map(numbers.__getitem__, items), dtype=np.int64, count=count)


def _half_points(rated: Sequence[Pairing]) -> Integers:
    return np.fromiter(map(_HALF_POINTS, rated), dtype=np.int64, count=len(rated))


def _sorted(sets: Integers, kinds: Integers, half_points: Integers) -> tuple[Integers, ...]:
    """Return the three columns of pairings, sorted by set, then kind, then half points."""
    shape = (1 + sets.max(initial=0), 1 + kinds.max(initial=0), 3)
    coded = np.sort(np.ravel_multi_index((sets, kinds, half_points), shape))
    return tuple(np.unravel_index(coded, shape))


def _entries(kinds: Sequence[Kind], entrants: Sequence[str], seats: Sequence[tuple[str, int]]) -> Entries:
    places = {name: column for column, name in enumerate(entrants)}
    seat_places = {seat: column for column, seat in enumerate(seats, start=len(entrants))}
    found = []
    for row, kind in enumerate(kinds):
        for party, seat, sign in zip((kind.first, kind.second), kind.seats, (1, -1), strict=True):
            found += [(row, places[name], sign / len(party)) for name in party]
            found.append((row, seat_places[seat], sign))
    rows, columns, factors = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return Entries(rows.astype(np.int64), columns.astype(np.int64), factors)


def _squared(entries: Entries, *, columns: int) -> Entries:
    """Return the products of each pair of entries of a row, in row ``column * columns + column`` of a flat square."""
    sizes = np.bincount(entries.rows)[entries.rows] if len(entries.rows) else entries.rows
    one = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.searchsorted(entries.rows, entries.rows)
    within = np.arange(len(one)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    other = np.repeat(begins, sizes) + within
    places = entries.columns[one] * columns + entries.columns[other]
    return Entries(places, entries.rows[one], entries.factors[one] * entries.factors[other])


class Counts(NamedTuple):
    """The weighted numbers of pairings and of wins of each kind: all that a fit needs of the pairings."""

    pairings: Floats
    wins: Floats


def counts_of(evidence: Evidence) -> Counts:
    """Return the counts of all pairings."""
    return Counts(*_counted(evidence, np.ones(evidence.sets)))


def fit(evidence: Evidence, counts: Counts | None = None) -> Floats:
    """Return the strengths of entrants, then the seat effects, that maximise the posterior.

    Args:
        evidence: the evidence.
        counts: its counts, if they are known already.
    """
    counts = counts or counts_of(evidence)
    starts = counts.pairings[np.newaxis], counts.wins[np.newaxis]
    point: Floats = _maximum(evidence, *starts, evidence.centres)[0]
    return point


def refit(evidence: Evidence, point: Floats, *, resamplings: int, seed: int) -> Floats:
    """Fit bootstrap samples: as many sets as there are, drawn with replacement. Return a row for each sample.

    Args:
        evidence: the evidence.
        point: its fit, where the search starts; it changes the results by rounding only.
        resamplings: the number of samples.
        seed: the seed of the draws.
    """
    fitted = np.repeat(point[np.newaxis], resamplings, axis=0)
    if not evidence.sets:
        return fitted
    # RandomState, since numpy promises that its stream never changes: a check of a ladder gets the same intervals.
    random = np.random.RandomState(seed)
    for rows in _chunks(resamplings, size=max(len(evidence.squares.columns), len(evidence.kinds))):
        drawn = [_counted(evidence, _drawn(evidence.sets, random)) for _ in range(rows.start, rows.stop)]
        counts, wins = (np.array(counted) for counted in zip(*drawn, strict=True))
        fitted[rows] = _maximum(evidence, counts, wins, point)
    return fitted


def _chunks(rows: int, *, size: int) -> Iterator[slice]:
    step = max(1, _NUMBERS_AT_ONCE // max(1, size))
    return (slice(first, min(rows, first + step)) for first in range(0, rows, step))


def _drawn(sets: int, random: np.random.RandomState) -> Floats:
    """Return the number of times that each set was drawn."""
    return np.bincount(random.randint(0, sets, size=sets), minlength=sets).astype(np.float64)


def _counted(evidence: Evidence, set_weights: Floats) -> tuple[Floats, Floats]:
    """Return the weighted numbers of pairings and of wins of each kind."""
    counted = set_weights[evidence.set_numbers]
    counts, wins = (
        np.bincount(evidence.kind_numbers, weights=weighted, minlength=len(evidence.kinds))
        for weighted in (counted, counted * evidence.wins)
    )
    return counts * evidence.weights, wins * evidence.weights


def _maximum(evidence: Evidence, counts: Floats, wins: Floats, start: Floats) -> Floats:
    """Find the maximum of the posterior by Newton's method, with limited steps so that it cannot diverge."""
    points = np.repeat(start[np.newaxis], len(counts), axis=0)
    moving = np.arange(len(counts))
    for _ in range(MOST_STEPS):
        steps = _steps(evidence, counts[moving], wins[moving], points[moving])
        lengths = np.abs(steps).max(axis=1)
        points[moving] += steps * np.minimum(1, LONGEST_STEP / np.maximum(lengths, SHORTEST_STEP))[:, np.newaxis]
        moving = moving[lengths > SHORTEST_STEP]
        if not len(moving):
            return points
    raise ArithmeticError("a fit with a normal prior has one maximum and Newton's method finds it")


def _steps(evidence: Evidence, counts: Floats, wins: Floats, points: Floats) -> Floats:
    expected = expectations(evidence, points)
    slopes = evidence.slopes.times(wins - counts * expected)
    slopes -= (points - evidence.centres) / np.square(evidence.spreads)
    slopes[:, evidence.fixed] = 0
    curvatures = squared(evidence, counts * expected * (1 - expected))
    curvatures += np.diag(1 / np.square(evidence.spreads))
    curvatures[:, evidence.fixed, :] = curvatures[:, :, evidence.fixed] = 0
    curvatures[:, evidence.fixed, evidence.fixed] = 1
    return np.asarray(np.linalg.solve(curvatures, slopes[..., np.newaxis])[..., 0], dtype=np.float64)


def expectations(evidence: Evidence, points: Floats) -> Floats:
    """Return the expected score of the first side for each kind, with a row for each fit."""
    return logistic(evidence.design.times(points))


def logistic(differences: Floats) -> Floats:
    """Return the expected score, from 0 to 1, for these differences in strength."""
    expected: Floats = 1 / (1 + np.exp(-differences))
    return expected


def squared(evidence: Evidence, information: Floats) -> Floats:
    """Return the information matrix of strengths and effects for each row of information by kind."""
    columns = len(evidence.spreads)
    matrices: Floats = evidence.squares.times(information).reshape(-1, columns, columns)
    return matrices
