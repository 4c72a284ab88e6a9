"""The fit behind the ratings: strengths and seat effects from all pairings at once.

The model is that of Bradley and Terry. The first of two entrants is expected to take 1 / (1 + exp(-d)) of a pairing,
where d = strength of the first + effect of his side - strength of the second - effect of hers. A tie counts as half a
win and half a loss. Strengths and effects have a weak prior, normal around zero, which keeps them finite for those who
won or lost everything and makes them add up to zero. The fit is the maximum of the posterior, found by Newton's method.

All sums are made in ascending order of names, so that the order of the results does not matter to the last bit.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ordago_ladder.results import Pairing

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

ELO: Final = 400 / math.log(10)
"""How many points of Elo a strength of 1 is."""

_STRENGTH_SPREAD: Final = 800 / ELO
_SEAT_SPREAD: Final = 200 / ELO
_LONGEST_STEP: Final = 1.0
"""174 points of Elo: Newton's steps are shortened to it, since far from the summit they lead astray."""
_SHORTEST_STEP: Final = 1e-10
"""Far below what rounding a rating leaves of it; whoever moves less has arrived."""
_MOST_STEPS: Final = 200
"""A fit takes some ten; this only ends one that rounding keeps from arriving."""
_NUMBERS_AT_ONCE: Final = 4_000_000
"""How many numbers are held at once for the curvature of many fits: 32 megabytes."""


class Kind(NamedTuple):
    """A kind of pairing: all that matters to the fit."""

    game: str
    first: str
    """The entrant whose name comes first."""
    second: str
    first_side: int
    second_side: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The rated pairings of an event, counted for each duplicate set and kind."""

    entrants: tuple[str, ...]
    """The entrants, ascending."""
    seats: tuple[tuple[str, int], ...]
    """Each game with each side at its table, ascending."""
    set_keys: tuple[str, ...]
    """The duplicate sets, ascending."""
    design: Floats
    """For each kind what its expectation depends on: 1 and -1 in the columns of the entrants and of the seats."""
    spreads: Floats
    """The standard deviation of the prior, for each column of the design."""
    set_numbers: Integers
    """For each count its set,"""
    kind_numbers: Integers
    """its kind,"""
    pairing_counts: Floats
    """its number of pairings,"""
    wins: Floats
    """and how many of them the first entrant won, ties as halves."""

    def centred(self, points: Floats) -> Floats:
        """Return fitted points, moved so that strengths, and the seat effects of each game, add up to zero."""
        owners = ["", *(game for game, _ in self.seats)]
        columns = [""] * len(self.entrants) + owners[1:]
        moved = points.copy()
        for owner in dict.fromkeys(owners):
            chosen = [column == owner for column in columns]
            moved[..., chosen] -= points[..., chosen].mean(axis=-1, keepdims=True)
        return moved


def evidence_of(pairings: Iterable[Pairing], *, entrants: Sequence[str]) -> Evidence:
    """Return the evidence of pairings, those that are not rated left out."""
    counts: Counter[tuple[str, Kind]] = Counter()
    half_points: Counter[tuple[str, Kind]] = Counter()
    for pairing in pairings:
        if pairing.rated:
            kind, gained = _kind(pairing)
            counts[pairing.set_key, kind] += 1
            half_points[pairing.set_key, kind] += gained
    keys = sorted(counts)
    set_keys = tuple(sorted({set_key for set_key, _ in keys}))
    kinds = sorted({kind for _, kind in keys})
    seats = sorted({seat for kind in kinds for seat in _seats(kind)})
    return Evidence(
        entrants=tuple(sorted(entrants)),
        seats=tuple(seats),
        set_keys=set_keys,
        design=_design(kinds, sorted(entrants), seats),
        spreads=np.array([_STRENGTH_SPREAD] * len(entrants) + [_SEAT_SPREAD] * len(seats)),
        set_numbers=_numbers([set_key for set_key, _ in keys], set_keys),
        kind_numbers=_numbers([kind for _, kind in keys], kinds),
        pairing_counts=np.array([counts[key] for key in keys], dtype=np.float64),
        wins=np.array([half_points[key] for key in keys], dtype=np.float64) / 2,
    )


def _kind(pairing: Pairing) -> tuple[Kind, int]:
    """Return the kind of a pairing, and the half points of the entrant who comes first in it."""
    game, first, second = pairing.game, pairing.first, pairing.second
    if first < second:
        return Kind(game, first, second, pairing.first_side, pairing.second_side), pairing.half_points
    return Kind(game, second, first, pairing.second_side, pairing.first_side), 2 - pairing.half_points


def _seats(kind: Kind) -> tuple[tuple[str, int], tuple[str, int]]:
    return (kind.game, kind.first_side), (kind.game, kind.second_side)


def _design(kinds: Sequence[Kind], entrants: Sequence[str], seats: Sequence[tuple[str, int]]) -> Floats:
    entrant_columns = {name: column for column, name in enumerate(entrants)}
    seat_columns = {seat: column for column, seat in enumerate(seats, start=len(entrants))}
    design = np.zeros((len(kinds), len(entrants) + len(seats)))
    for row, kind in enumerate(kinds):
        first_seat, second_seat = _seats(kind)
        design[row, [entrant_columns[kind.first], seat_columns[first_seat]]] = 1
        design[row, [entrant_columns[kind.second], seat_columns[second_seat]]] = -1
    return design


def _numbers(items: Sequence[object], known: Sequence[object]) -> Integers:
    numbers = {item: number for number, item in enumerate(known)}
    return np.array([numbers[item] for item in items], dtype=np.int64)


def fit(evidence: Evidence, weights: Floats, *, start: Floats | None = None) -> Floats:
    """Return the fitted strengths and seat effects, a row for each row of weights.

    Args:
        evidence: what is fitted.
        weights: how often each set counts, a row for each fit.
        start: where the search begins; it does not matter to the result beyond rounding.
    """
    columns = len(evidence.spreads)
    begun = np.zeros(columns) if start is None else start
    fitted = np.empty((len(weights), columns))
    for rows in _chunks(len(weights), size=len(evidence.design) * columns):
        fitted[rows] = _maximum(evidence, weights[rows], begun)
    return evidence.centred(fitted)


def spread(evidence: Evidence, point: Floats) -> Floats:
    """Return the standard deviation of each strength, from the curvature of the posterior at a fitted point."""
    number = len(evidence.entrants)
    counts = _summed(evidence, np.ones((1, len(evidence.set_keys))), evidence.pairing_counts)
    expected = _logistic(evidence.design @ point)
    covariance = np.linalg.inv(_curvature(evidence, counts * expected * (1 - expected))[0])[:number, :number]
    centring = np.eye(number) - 1 / number
    variances: Floats = np.diag(centring @ covariance @ centring)
    return np.sqrt(variances)


def _chunks(rows: int, *, size: int) -> Iterator[slice]:
    step = max(1, _NUMBERS_AT_ONCE // max(1, size))
    return (slice(first, first + step) for first in range(0, rows, step))


def _maximum(evidence: Evidence, weights: Floats, start: Floats) -> Floats:
    """Climb to the maximum of the posterior, with steps kept short so that none leaps over it and away."""
    counts = _summed(evidence, weights, evidence.pairing_counts)
    wins = _summed(evidence, weights, evidence.wins)
    points = np.repeat(start[np.newaxis], len(weights), axis=0)
    for _ in range(_MOST_STEPS):
        expected = _logistic(points @ evidence.design.T)
        slope = (wins - counts * expected) @ evidence.design - points / evidence.spreads**2
        curvature = _curvature(evidence, counts * expected * (1 - expected))
        steps = np.linalg.solve(curvature, slope[..., np.newaxis])[..., 0]
        lengths = np.abs(steps).max(axis=1, keepdims=True)
        points += steps * np.minimum(1, _LONGEST_STEP / np.maximum(lengths, _SHORTEST_STEP))
        if lengths.max() < _SHORTEST_STEP:
            return points
    raise ArithmeticError("a fit with a normal prior has one maximum and Newton's method finds it")


def _summed(evidence: Evidence, weights: Floats, counts: Floats) -> Floats:
    """Return the sums of counts for each kind, sets weighted, a row for each row of weights."""
    summed = np.empty((len(weights), len(evidence.design)))
    for row, weight in enumerate(weights):
        weighted = weight[evidence.set_numbers] * counts
        summed[row] = np.bincount(evidence.kind_numbers, weights=weighted, minlength=summed.shape[1])
    return summed


def _curvature(evidence: Evidence, information: Floats) -> Floats:
    """Return the curvature of the posterior for the information that each kind bears, one matrix for each row."""
    by_kind = information[:, :, np.newaxis] * evidence.design
    curvature: Floats = evidence.design.T @ by_kind + np.diag(evidence.spreads**-2)
    return curvature


def _logistic(differences: Floats) -> Floats:
    return 1 / (1 + np.exp(-differences))
