"""What duplicates spare an event: how many matches more it would have taken with other deals in each match.

What two entrants take from each other in a match, beside what they take on average and what their seats bring, is a
*residual*. Over the matches of a duplicate set their residuals add up to a sum. If each match had deals of its own, its
variance would be as many times that of a residual as there are matches in the set. With the same deals in all seatings
luck goes to both in turn, and the sum varies less. The *ratio* of what it varies to what it would is what the set has
left of the variance of the difference between the two: half of it is as good as twice as many matches.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby
from statistics import mean
from typing import NamedTuple

from ordago.store import MatchResult
from ordago_ladder.rating.results import Pairing, pairings


class VarianceRatio(NamedTuple):
    """The variance that is left by duplicates, as a part of what it would be without."""

    ratio: float
    """Below 1 where duplicates help; 1 where they do nothing."""
    standard_error: float


class Saving(NamedTuple):
    """What duplicates spared a game of an event."""

    game: str
    matches: int
    """The matches that were played."""
    variance: VarianceRatio | None
    """``None`` where it cannot be told: no two entrants met in two sets of several seatings."""

    @property
    def matches_saved(self) -> int:
        """How many more it would have taken for the same intervals; below zero where it would have taken fewer."""
        if self.variance is None or self.variance.ratio <= 0:
            return 0
        return round(self.matches / self.variance.ratio) - self.matches


class _Taken(NamedTuple):
    """What the one of two entrants whose name comes first took from the other in a match."""

    entrants: Hashable
    set_key: str
    seats: tuple[int, int]
    points: float


def matches_saved(results: Iterable[MatchResult]) -> tuple[Saving, ...]:
    """Return what duplicates spared each game, in the order of their short names. The order of results is no matter."""
    ordered = sorted(results, key=lambda played: (played.planned.game, played.planned.row))
    return tuple(_saving(game, list(some)) for game, some in groupby(ordered, lambda played: played.planned.game))


def _saving(game: str, results: Sequence[MatchResult]) -> Saving:
    return Saving(game, len(results), variance_ratio(pairings(results)))


def variance_ratio(found: Iterable[Pairing]) -> VarianceRatio | None:
    """Return the variance that duplicates left in the pairings of one game; ``None`` where it cannot be told."""
    residuals = _residuals([_taken(pairing) for pairing in found if pairing.rated])
    by_set: defaultdict[tuple[Hashable, str], list[float]] = defaultdict(list)
    for residual in residuals:
        by_set[residual.entrants, residual.set_key].append(residual.points)
    pairs = len({entrants for entrants, _ in by_set})
    if len(residuals) == len(by_set):
        return None
    seatings = len(residuals) / len(by_set)
    between = sum(sum(points) ** 2 for points in by_set.values()) / (len(by_set) - pairs)
    # What the mean of two entrants took away from the squares of their residuals is put back.
    within = (sum(residual.points**2 for residual in residuals) + pairs * between / seatings) / len(residuals)
    if not within:
        return None
    ratio = between / (seatings * within)
    return VarianceRatio(ratio, _standard_error(ratio, by_set))


def _taken(pairing: Pairing) -> _Taken:
    _, first, second, first_side, second_side = pairing.kind
    seats = (first_side, second_side)
    if first < second:
        return _Taken((first, second), pairing.set_key, seats, pairing.half_points / 2)
    return _Taken((second, first), pairing.set_key, seats[::-1], 1 - pairing.half_points / 2)


def _residuals(taken: Sequence[_Taken]) -> list[_Taken]:
    """Take away what two entrants take on average, and what their seats bring. Who met in one set alone is left out."""
    sets = Counter(entrants for entrants, _ in {(each.entrants, each.set_key) for each in taken})
    met_again = [each for each in taken if sets[each.entrants] > 1]
    return _less_mean(_less_mean(met_again, of="entrants"), of="seats")


def _less_mean(taken: Sequence[_Taken], *, of: str) -> list[_Taken]:
    """Take away the mean of all that have some field alike."""
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for each in taken:
        groups[getattr(each, of)].append(each.points)
    means = {key: mean(points) for key, points in groups.items()}
    return [each._replace(points=each.points - means[getattr(each, of)]) for each in taken]


def _standard_error(ratio: float, by_set: dict[tuple[Hashable, str], list[float]]) -> float:
    """Return the standard error of a ratio of sums over sets, of which each may hold several pairs of entrants."""
    deviations: defaultdict[str, float] = defaultdict(float)
    for (_, set_key), points in by_set.items():
        deviations[set_key] += sum(points) ** 2 - ratio * _squares(points)
    return math.sqrt(_squares(deviations.values())) / sum(map(_squares, by_set.values()))


def _squares(numbers: Iterable[float]) -> float:
    return sum(number**2 for number in numbers)
