"""Measures how often 95 % intervals hold the truth, in simulated events whose strengths are known.

``python research/coverage.py`` simulates 400 events of each sort, in which every entrant plays about 10, 30 or 100
duplicate sets, and prints which share of the intervals of ratings, and of differences, held the truth. Beside it stand
differences by percentiles of 100 resamplings of the sets. Then it compares how likely the ladder says that each entrant
is better than the next with how often that was so, where strengths are drawn at random with a spread of 60 Elo.
"""

import argparse
import itertools
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO, evidence_of, fit, refit
from ordago_ladder.rating.rating import ANCHOR, Ratings, rate
from ordago_ladder.rating.results import Pairing
from ordago_bench.simulated.events import EventSort, simulated

SORTS: Final = (
    EventSort(name="five, tables of three", strengths=(200, 100, 0, -100, -200), sides=3),
    EventSort(name="four far apart, tables of three", strengths=(400, 150, -150, -400), sides=3),
    EventSort(name="two", strengths=(25, -25), sides=2),
    EventSort(name="two equals beside a hopeless one", strengths=(0, 0, -1500), sides=3, hopeless="c"),
    EventSort(name="three equals, 9 of 10 tied", strengths=(0, 0, 0), sides=2, tied=0.9),
)
SETS: Final = (10, 30, 100)
_SPREAD: Final = 60.0


class Held(NamedTuple):
    """How many intervals held the truth."""

    ratings: float
    differences: float
    resampled: float
    """The differences, by resampling."""
    half_length: float
    """Half the length of the intervals of ratings, in the mean."""


def held(sort: EventSort, found: list[Pairing], *, resamplings: int) -> Held:
    """Return the shares of an event's intervals that hold the truth, those of the hopeless left out."""
    ratings = rate(found, entrants=sort.names)
    counted = [rating for rating in ratings.ratings if rating.entrant not in sort.hopeless]
    truths = _truths(sort, ratings)
    resampled = dict(_resampled(sort, found, resamplings=resamplings)) if resamplings else {}
    differences, by_resampling = [], []
    for one, other in itertools.combinations(sorted(rating.entrant for rating in counted), 2):
        truth, interval = sort.strength_of[one] - sort.strength_of[other], ratings.difference(one, other)
        differences.append(interval is not None and interval.low <= truth <= interval.high)
        low, high = resampled.get((one, other), (0, 0))
        by_resampling.append(low <= truth <= high)
    return Held(
        ratings=float(np.mean([rating.low <= truths[rating.entrant] <= rating.high for rating in counted])),
        differences=float(np.mean(differences)),
        resampled=float(np.mean(by_resampling)),
        half_length=float(np.mean([rating.half_length for rating in counted])),
    )


def _truths(sort: EventSort, ratings: Ratings) -> dict[str, float]:
    """Return the ratings that would be right, about the mean that is the anchor of those that were found."""
    shares = zip(ratings.ratings, ratings.shares, strict=True)
    mean = sum(share * sort.strength_of[rating.entrant] for rating, share in shares)
    return {name: ANCHOR + strength - mean for name, strength in sort.strength_of.items()}


def _resampled(
    sort: EventSort, found: list[Pairing], *, resamplings: int
) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    evidence = evidence_of(found, entrants=sort.names)
    fits = refit(evidence, fit(evidence), resamplings=resamplings, seed=0)
    for one, other in itertools.combinations(range(len(sort.names)), 2):
        low, high = np.percentile(ELO * (fits[:, one] - fits[:, other]), [2.5, 97.5])
        yield (sort.names[one], sort.names[other]), (float(low), float(high))


class Likelihoods(NamedTuple):
    """How likely it was said to be that each entrant is better than the next, and how often that was so."""

    said: float
    true: float


def likelihoods(*, sets_of_each: int, events: int) -> Likelihoods:
    """Return what is said of the next in events of four at tables of three, whose strengths are drawn at random."""
    random = np.random.RandomState(sets_of_each)
    said, true = [], []
    for seed in range(events):
        strengths = tuple(float(strength) for strength in random.normal(0, _SPREAD, size=4))
        sort = EventSort(name="random", strengths=strengths, sides=3)
        found = rate(simulated(sort, sets_of_each=sets_of_each, seed=seed), entrants=sort.names).ratings
        for one, other in itertools.pairwise(found):
            said.append(0.5 if one.above_next is None else one.above_next)
            true.append(sort.strength_of[one.entrant] > sort.strength_of[other.entrant])
    return Likelihoods(float(np.mean(said)), float(np.mean(true)))


def main() -> None:
    """Measure, and print a line for each sort and number of sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=400, help="of each sort (default: %(default)s)")
    parser.add_argument("--resamplings", type=int, default=100, help="of each event; 0: none (default: %(default)s)")
    arguments = parser.parse_args()
    events = arguments.events
    print(f"{'':34} sets  ratings  differences  resampled    ±")  # noqa: T201 - it is a command
    for sort, sets in itertools.product(SORTS, SETS):
        found = (simulated(sort, sets_of_each=sets, seed=seed) for seed in range(events))
        each = [held(sort, pairings, resamplings=arguments.resamplings) for pairings in found]
        shares = Held(*np.mean(each, axis=0).tolist())
        resampled = f"{shares.resampled:9.1%}" if arguments.resamplings else f"{'not tried':>9}"
        line = f"{shares.ratings:7.1%}  {shares.differences:11.1%}  {resampled}  {shares.half_length:3.0f}"
        print(f"{sort.name:34} {sets:4}  {line}", flush=True)  # noqa: T201 - it is a command
    for sets in (1, 5, *SETS):
        said, true = likelihoods(sets_of_each=sets, events=events)
        sentence = f"above next: {said:.1%} said, {true:.1%} true"
        print(f"{'four, tables of three':34} {sets:4}  {sentence}", flush=True)  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
