"""Variance reduction by duplicates, and the number of matches that it saves an event.

The score of a match between two entrants, less their average and the effect of their seats, is a *residual*. Over the
matches of a duplicate set the residuals add up to a sum. If each match had deals of its own, the variance of this sum
would be that of a residual times the number of matches in the set. With the same deals in all seatings luck goes to
both in turn, and the sum varies less. The *ratio* of its variance to the one without duplicates is the share of the
variance that is left: a ratio of one half is worth twice as many matches.
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
    """The variance with duplicates, divided by the variance without."""

    ratio: float
    """Below 1 where duplicates help; 1 where they do nothing."""
    standard_error: float


class Saving(NamedTuple):
    """The effect of duplicates in a game of an event."""

    game: str
    matches: int
    """The number of matches played."""
    variance: VarianceRatio | None
    """``None`` where it cannot be estimated: no two entrants met in two sets with several seatings."""

    @property
    def matches_saved(self) -> int:
        """The additional matches needed for the same intervals without duplicates; negative where fewer would do."""
        if self.variance is None or self.variance.ratio <= 0:
            return 0
        return round(self.matches / self.variance.ratio) - self.matches


class _Taken(NamedTuple):
    """Points, 0 to 1, of the one of two entrants whose name comes first, in a match against the other."""

    entrants: Hashable
    set_key: str
    seats: tuple[int, int]
    points: float


def matches_saved(results: Iterable[MatchResult]) -> tuple[Saving, ...]:
    """Return the effect of duplicates in each game, by short name. The order of results does not matter."""
    ordered = sorted(results, key=lambda played: (played.planned.game, played.planned.row))
    return tuple(_saving(game, list(some)) for game, some in groupby(ordered, lambda played: played.planned.game))


def _saving(game: str, results: Sequence[MatchResult]) -> Saving:
    return Saving(game, len(results), variance_ratio(pairings(results)))


def variance_ratio(found: Iterable[Pairing]) -> VarianceRatio | None:
    """Return the variance ratio of the pairings of one game; ``None`` where it cannot be estimated."""
    residuals = _residuals([_taken(pairing) for pairing in found if pairing.rated])
    by_set: defaultdict[tuple[Hashable, str], list[float]] = defaultdict(list)
    for residual in residuals:
        by_set[residual.entrants, residual.set_key].append(residual.points)
    pairs = len({entrants for entrants, _ in by_set})
    if len(residuals) == len(by_set):
        return None
    seatings = len(residuals) / len(by_set)
    between = sum(sum(points) ** 2 for points in by_set.values()) / (len(by_set) - pairs)
    # Subtracting the mean of two entrants made the squares of their residuals too small: this corrects for it.
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
    """Subtract the average of two entrants, then that of their seats, leaving out two that met in only one set."""
    sets = Counter(entrants for entrants, _ in {(each.entrants, each.set_key) for each in taken})
    met_again = [each for each in taken if sets[each.entrants] > 1]
    return _less_mean(_less_mean(met_again, of="entrants"), of="seats")


def _less_mean(taken: Sequence[_Taken], *, of: str) -> list[_Taken]:
    """Subtract the mean of all with the same value of a field."""
    groups: defaultdict[Hashable, list[float]] = defaultdict(list)
    for each in taken:
        groups[getattr(each, of)].append(each.points)
    means = {key: mean(points) for key, points in groups.items()}
    return [each._replace(points=each.points - means[getattr(each, of)]) for each in taken]


def _standard_error(ratio: float, by_set: dict[tuple[Hashable, str], list[float]]) -> float:
    """Return the standard error of a ratio of sums over sets; a set may hold several pairs of entrants."""
    deviations: defaultdict[str, float] = defaultdict(float)
    for (_, set_key), points in by_set.items():
        deviations[set_key] += sum(points) ** 2 - ratio * _squares(points)
    return math.sqrt(_squares(deviations.values())) / sum(map(_squares, by_set.values()))


def _squares(numbers: Iterable[float]) -> float:
    return sum(number**2 for number in numbers)
