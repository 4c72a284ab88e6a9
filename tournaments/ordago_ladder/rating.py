"""Ratings: one joint fit of all results (see ``fit``), with intervals from resampling the duplicate sets.

Ratings are a pure function of the results, whatever their order. Every rated pairing counts once, whichever game it
comes from; a game whose tables have more pairings says more.

The intervals come from a bootstrap: the duplicate sets are drawn anew, with replacement, as many as there are, and
fitted again. So what the matches of a set have in common, their deals, is not counted twice. The ends are percentiles
of these fits, moved outward as Student's distribution asks for the number of an entrant's sets, since few sets spread
too little when they are drawn anew. Where resampling is blind the interval is at least as long as the curvature of the
posterior says: for an entrant who took nothing from anybody better and gave nothing to anybody worse, and for one of
very few sets.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.connectivity import Connectivity, connectivity
from ordago_ladder.fit import ELO, Evidence, Floats, evidence_of, fit, spread
from ordago_ladder.results import Pairing

ANCHOR: Final = 1500.0
"""The mean rating of all entrants."""

_NORMAL_95: Final = 1.96
_FEW_SETS: Final = 8
"""With fewer sets resampling sees too little of how much results vary."""
_SEED: Final = 20
# Far below what is published, far above what rounding in the fit can do.
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
    """The likelihood of being better than the next in the list; ``None`` for the last."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


class SeatEffect(NamedTuple):
    """What a seat is worth, or in a game of partners a side."""

    game: str
    side: int
    """The side at the table, from 0 in the order of its first seat."""
    elo: float
    """Points of Elo, zero in all for a game."""


class Ratings(NamedTuple):
    """The ratings of an event."""

    ratings: tuple[Rating, ...]
    """Best first; equal ones in the order of names."""
    seat_effects: tuple[SeatEffect, ...]
    """For each game and side, ascending."""
    connectivity: Connectivity
    """How the entrants hang together."""


def rate(pairings: Iterable[Pairing], *, entrants: Iterable[str], resamplings: int) -> Ratings:
    """Return the ratings of entrants from pairings, in whatever order they come."""
    found = list(pairings)
    evidence = evidence_of(found, entrants=sorted(entrants))
    point = fit(evidence, np.ones((1, len(evidence.set_keys))))[0]
    number = len(evidence.entrants)
    resampled = _resampled(evidence, point, resamplings=resamplings)[:, :number]
    hanging = connectivity(found, entrants=evidence.entrants)
    return Ratings(
        ratings=_ratings(evidence, point, resampled, hanging),
        seat_effects=tuple(
            SeatEffect(game, side, float(effect * ELO))
            for (game, side), effect in zip(evidence.seats, point[number:], strict=True)
        ),
        connectivity=hanging,
    )


def _resampled(evidence: Evidence, point: Floats, *, resamplings: int) -> Floats:
    """Return the fits of resampled sets, a row for each."""
    sets = len(evidence.set_keys)
    if sets == 0:
        return np.repeat(point[np.newaxis], resamplings, axis=0)
    # RandomState, since numpy promises that its numbers never change: whoever checks a ladder gets the same intervals.
    random = np.random.RandomState(_SEED)
    drawn = random.randint(0, sets, size=(resamplings, sets)) + sets * np.arange(resamplings)[:, np.newaxis]
    weights = np.bincount(drawn.ravel(), minlength=resamplings * sets).reshape(resamplings, sets)
    return fit(evidence, weights.astype(np.float64), start=point)


def _ratings(evidence: Evidence, point: Floats, resampled: Floats, hanging: Connectivity) -> tuple[Rating, ...]:
    elos = (ANCHOR + ELO * point[: len(evidence.entrants)]).round(_DECIMALS)
    resampled_elos = (ANCHOR + ELO * resampled).round(_DECIMALS)
    least = _least_half_lengths(evidence, point, hanging)
    bounds = _bounds(elos, resampled_elos, least=least, sets=_sets_of(evidence))
    order = sorted(range(len(elos)), key=lambda index: (-elos[index], evidence.entrants[index]))
    above_next = {
        index: _superiority(resampled_elos[:, index], resampled_elos[:, following])
        for index, following in itertools.pairwise(order)
    }
    return tuple(
        Rating(evidence.entrants[index], float(elos[index]), *bounds[index], above_next.get(index)) for index in order
    )


def _bounds(elos: Floats, resampled_elos: Floats, *, least: Floats, sets: Sequence[int]) -> list[tuple[float, float]]:
    bounds = []
    for column, elo in enumerate(elos):
        tail = 100 * _tail(sets[column])
        low, high = np.percentile(resampled_elos[:, column], [tail, 100 - tail])
        bounds.append((float(min(low, elo - least[column])), float(max(high, elo + least[column]))))
    return bounds


def _tail(sets: int) -> float:
    """Return the share of resamplings to leave out at each end of a 95 % interval for a number of sets.

    The quantile of Student's distribution comes from that of the normal one by the first two terms of the expansion of
    Cornish and Fisher, which is right to 0.01 from seven degrees of freedom on.
    """
    freedom, z = max(sets, 2) - 1, _NORMAL_95
    student = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return math.erfc(student * math.sqrt((freedom + 1) / freedom) / math.sqrt(2)) / 2


def _least_half_lengths(evidence: Evidence, point: Floats, hanging: Connectivity) -> Floats:
    """Return what each interval extends at least to either side: something only where resampling is blind."""
    alone = {tier[0] for tier in hanging.tiers if len(tier) == 1}
    sets = _sets_of(evidence)
    blind = [name in alone or sets[column] < _FEW_SETS for column, name in enumerate(evidence.entrants)]
    return _NORMAL_95 * ELO * spread(evidence, point) * blind


def _sets_of(evidence: Evidence) -> list[int]:
    """Return the number of sets that each entrant has rated pairings in."""
    taking_part = evidence.design[evidence.kind_numbers, : len(evidence.entrants)] != 0
    return [len(np.unique(evidence.set_numbers[taken])) for taken in taking_part.T]


def _superiority(one: Floats, other: Floats) -> float:
    return float(np.mean(one > other) + np.mean(one == other) / 2)
