"""The time that ratings take, from the pairings of a great many results."""

import itertools
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ordago.record import Result
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.rating.dispersion import scatter_of, with_dispersion
from ordago_ladder.rating.fit import evidence_of, fit, refit
from ordago_ladder.rating.results import pairings
from ordago_ladder.rating.spreads import spreads_of, with_spreads

_SEATS: Final = 3
_NOTHING: Final = ((),) * _SEATS
PAIRINGS_OF_A_SET: Final = 18
"""Six seatings of a table of three, with three pairings each."""
_ENTRANTS: Final = 40


class RatingSeconds(NamedTuple):
    """The measured times, in seconds."""

    rated: float
    """The time from the pairings to the ratings."""
    resampled: float
    """The time of all resamplings, which a ladder can do without."""


def names_of(entrants: int) -> list[str]:
    """Return names for a number of entrants."""
    return [f"entrant {number:03}" for number in range(entrants)]


def results(*, entrants: int, sets: int) -> Iterator[MatchResult]:
    """Yield results of duplicate sets at tables of three, with placings by strength and chance."""
    random = np.random.RandomState(1)
    names = names_of(entrants)
    strengths = random.normal(0, 1, size=entrants)
    rows = itertools.count()
    for number in range(sets):
        table = sorted(random.choice(entrants, _SEATS, replace=False).tolist())
        set_key = f"mittlere|{','.join(names[index] for index in table)}|{number}"
        for seating, seats in enumerate(itertools.permutations(table)):
            order = (strengths[list(seats)] + random.gumbel(size=_SEATS)).argsort()[::-1].argsort()
            placings = tuple(int(place) + 1 for place in order)
            planned = PlannedMatch(
                next(rows), "mittlere", set_key, seating, number, tuple(names[index] for index in seats)
            )
            result = Result(placings, placings, faults=_NOTHING, forfeits=(), strikes=_NOTHING)
            yield MatchResult(IssuedMatch(planned, ""), result)


def measure_ratings(*, number: int, resamplings: int) -> RatingSeconds:
    """Time the rating of ``number`` pairings, and of ``resamplings`` of them."""
    found = list(pairings(results(entrants=_ENTRANTS, sets=-(-number // PAIRINGS_OF_A_SET))))
    began = time.perf_counter()
    evidence = evidence_of(found, entrants=names_of(_ENTRANTS))
    evidence = with_dispersion(evidence, scatter_of(evidence).dispersion)
    spreads = spreads_of(evidence)
    evidence = with_spreads(evidence, strengths=spreads.strengths, seats=spreads.seats)
    point = fit(evidence)
    rated = time.perf_counter()
    refit(evidence, point, resamplings=resamplings, seed=0)
    return RatingSeconds(rated - began, time.perf_counter() - rated)
