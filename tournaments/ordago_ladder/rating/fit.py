"""The fit behind the ratings: strengths and seat effects from all pairings at once.

The model is that of Bradley and Terry. The first of two sides is expected to take 1 / (1 + exp(-d)) of a pairing, where
d = strength of the first + effect of its seats - strength of the second - effect of its seats. The strength of a side
is the mean of those of its partners. A tie counts as half a win and half a loss. Strengths and effects have a weak
prior, normal around zero or around the mean of the anchors, which keeps them finite for those who won or lost
everything. The fit is the maximum of the posterior, found by Newton's method.

Pairings are put in order before anything is added up, so that the order of the results does not matter to the last bit.
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
    """What stands in a sparse matrix; what stands at the same place adds up."""

    rows: Integers
    columns: Integers
    factors: Floats


class SparseMatrix(NamedTuple):
    """A sparse matrix, in the ascending order of its rows."""

    height: int
    """The number of its rows."""
    filled: Integers
    """The rows in which something stands,"""
    starts: Integers
    """where each of them begins,"""
    columns: Integers
    """and the column of each factor."""
    factors: Floats

    @classmethod
    def of(cls, entries: Entries, *, height: int) -> "SparseMatrix":
        """Return the matrix of entries, in whatever order they come."""
        order = np.lexsort((entries.columns, entries.rows))
        filled, starts = np.unique(entries.rows[order], return_index=True)
        return cls(height, filled, starts, entries.columns[order], entries.factors[order])

    def times(self, vectors: Floats) -> Floats:
        """Return the product of the matrix with each row of some vectors, as rows too."""
        products = np.zeros((len(vectors), self.height))
        if len(self.filled):
            parts = np.take(vectors, self.columns, axis=1)
            parts *= self.factors
            products[:, self.filled] = np.add.reduceat(parts, self.starts, axis=1)
        return products


ELO: Final = 400 / math.log(10)
"""How many points of Elo a strength of 1 is."""

STRENGTH_SPREAD: Final = 800 / ELO
"""The standard deviation of the prior of a strength."""
SEAT_SPREAD: Final = 200 / ELO
"""The same of a seat effect."""
LONGEST_STEP: Final = 1.0
"""174 points of Elo: Newton's steps are shortened to it, since far from the summit they lead astray."""
SHORTEST_STEP: Final = 1e-6
"""Whoever moves less has arrived: the next step would be about its square."""
MOST_STEPS: Final = 200
"""A fit takes five to ten; this only ends one that rounding keeps from arriving."""
_NUMBERS_AT_ONCE: Final = 2_000_000
"""How many numbers are held at once for the curvature of many fits: 16 megabytes."""

_KIND, _SET_KEY, _HALF_POINTS = map(itemgetter, map(Pairing._fields.index, ("kind", "set_key", "half_points")))
"""Each takes one field out of a pairing."""

_Different = TypeVar("_Different", bound=Hashable)
_Item = TypeVar("_Item", str, Kind)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The rated pairings of an event, by their kinds and duplicate sets."""

    entrants: tuple[str, ...]
    """The entrants, ascending."""
    seats: tuple[tuple[str, int], ...]
    """Each game with each side at its table, ascending."""
    sets: int
    """The number of duplicate sets."""
    kinds: tuple[Kind, ...]
    """The kinds of pairings, ascending."""
    design: SparseMatrix
    """For each kind what its expectation depends on: shares of entrants, then seats, those of the second negative."""
    slopes: SparseMatrix
    """The same turned round: for each entrant and seat the kinds that depend on it."""
    squares: SparseMatrix
    """For each two of entrants and seats the product of their columns, kind by kind."""
    spreads: Floats
    """The standard deviation of the prior, for each entrant and each seat,"""
    centres: Floats
    """and its mean: that of the anchors, or zero."""
    fixed: NDArray[np.bool_]
    """Who is an anchor, whose strength is the mean of his prior."""
    set_numbers: Integers
    """For each pairing its set, in ascending order of their keys. Pairings ascend by it, then by their kinds,"""
    kind_numbers: Integers
    """its kind,"""
    wins: Floats
    """and whether the first won it, a tie as a half."""
    weights: Floats
    """How much a pairing of each kind counts."""


def evidence_of(
    pairings: Iterable[Pairing],
    *,
    entrants: Iterable[str],
    anchors: Mapping[str, float] | None = None,
    equal_games: bool = False,
) -> Evidence:
    """Return the evidence of pairings, those that are not rated left out.

    Args:
        pairings: the pairings, in any order.
        entrants: the names of all entrants, in any order.
        anchors: the strengths of those of whom they are known.
        equal_games: whether all games count the same together. Otherwise all pairings do.
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
    """Return weights by which all games have as many pairings, and all together as many as there are."""
    games, game_numbers = _numbered((kind.game for kind in kinds), count=len(kinds))
    counts = np.bincount(game_numbers[kind_numbers], minlength=len(games))
    weights: Floats = (len(kind_numbers) / (max(1, len(games)) * np.maximum(1, counts)))[game_numbers]
    return weights


def _kinds(rated: Sequence[Pairing]) -> tuple[tuple[Kind, ...], Integers]:
    """Return the kinds of pairings, ascending, and the number of each pairing's own."""
    # Most pairings of a kind share it: to number these objects is quicker than to look at what each of them says.
    objects, object_numbers = _in_order(map(id, map(_KIND, rated)), count=len(rated))
    one_of_each = np.empty(len(objects), dtype=np.int64)
    one_of_each[object_numbers] = np.arange(len(rated))
    kinds, kind_numbers = _numbered((rated[row].kind for row in one_of_each.tolist()), count=len(objects))
    return tuple(kinds), kind_numbers[object_numbers]


def _numbered(items: Iterable[_Item], *, count: int) -> tuple[list[_Item], Integers]:
    """Return the different items, ascending, and the number of each item among them."""
    # Numbered as they come, and by their order after that: so each item is looked up but once.
    numbers, as_they_come = _in_order(items, count=count)
    different = sorted(numbers)
    ranks = np.empty(len(different), dtype=np.int64)
    ranks[[numbers[item] for item in different]] = np.arange(len(different))
    return different, ranks[as_they_come]


def _in_order(items: Iterable[_Different], *, count: int) -> tuple[Mapping[_Different, int], Integers]:
    """Return numbers of the different items in the order in which they come, and the number of each item."""
    numbers: defaultdict[_Different, int] = defaultdict(itertools.count().__next__)
    return numbers, np.fromiter(map(numbers.__getitem__, items), dtype=np.int64, count=count)


def _half_points(rated: Sequence[Pairing]) -> Integers:
    return np.fromiter(map(_HALF_POINTS, rated), dtype=np.int64, count=len(rated))


def _sorted(sets: Integers, kinds: Integers, half_points: Integers) -> tuple[Integers, ...]:
    """Return pairings in ascending order of their sets, of kinds and of half points."""
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
    """Return the products of each two entries of a row, at the place of the two columns in a square of columns."""
    sizes = np.bincount(entries.rows)[entries.rows] if len(entries.rows) else entries.rows
    one = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.searchsorted(entries.rows, entries.rows)
    within = np.arange(len(one)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    other = np.repeat(begins, sizes) + within
    places = entries.columns[one] * columns + entries.columns[other]
    return Entries(places, entries.rows[one], entries.factors[one] * entries.factors[other])


def fit(evidence: Evidence) -> Floats:
    """Return the fitted strengths and seat effects."""
    counts, wins = _counted(evidence, np.ones(evidence.sets))
    point: Floats = _maximum(evidence, counts[np.newaxis], wins[np.newaxis], evidence.centres)[0]
    return point


def refit(evidence: Evidence, point: Floats, *, resamplings: int, seed: int) -> Floats:
    """Return the fits of resampled sets, as many as there are, drawn with replacement; a row for each resampling.

    Args:
        evidence: what is fitted.
        point: its fit, where the search begins; it does not matter to the result beyond rounding.
        resamplings: how often.
        seed: what the draws come from.
    """
    fitted = np.repeat(point[np.newaxis], resamplings, axis=0)
    if not evidence.sets:
        return fitted
    # RandomState, since numpy promises that its numbers never change: whoever checks a ladder gets the same intervals.
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
    """Return how often each set was drawn."""
    return np.bincount(random.randint(0, sets, size=sets), minlength=sets).astype(np.float64)


def _counted(evidence: Evidence, set_weights: Floats) -> tuple[Floats, Floats]:
    """Return the pairings and the wins of each kind, where sets count as often as their weights say."""
    counted = set_weights[evidence.set_numbers]
    counts, wins = (
        np.bincount(evidence.kind_numbers, weights=weighted, minlength=len(evidence.kinds))
        for weighted in (counted, counted * evidence.wins)
    )
    return counts * evidence.weights, wins * evidence.weights


def _maximum(evidence: Evidence, counts: Floats, wins: Floats, start: Floats) -> Floats:
    """Climb to the maximum of the posterior, with steps kept short so that none leaps over it and away."""
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
    """Return what the first is expected to take of a pairing of each kind, a row for each fit."""
    return logistic(evidence.design.times(points))


def logistic(differences: Floats) -> Floats:
    """Return what those are expected to take of a pairing who are so much stronger."""
    expected: Floats = 1 / (1 + np.exp(-differences))
    return expected


def squared(evidence: Evidence, information: Floats) -> Floats:
    """Return the information on strengths and effects that the kinds bear, one matrix for each row."""
    columns = len(evidence.spreads)
    matrices: Floats = evidence.squares.times(information).reshape(-1, columns, columns)
    return matrices
