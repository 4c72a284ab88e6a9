"""Decisions by points: the places of a round robin that are decided, and repetitions that follow until some are.

Everybody meets everybody equally often in a repetition, so points compare: two for each opponent that a match was won
against, one for a tie. An entrant is above another if its lead, repetition by repetition, is greater than chance
explains, by Student's test. All looks test at the same level (Pocock), such that over all of them together the weaker
of two comes out above in at most one of twenty events. research/decisions.md has the measurements.

Points are whole numbers and bounds are decimals, so that every machine decides alike.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from ordago.store import MatchResult
from ordago_ladder.schedule.meetings import comparisons
from ordago_ladder.schedule.round_robin import repetition_of
from ordago_ladder.schedule.shares import table_key
from ordago_ladder.schedule.tables import Table, seating_count
from ordago_ladder.settings.settings import Settings

_BOUNDS: Final = (
    *(1696, 1925, 2040, 2115, 2169, 2210, 2244, 2272, 2295, 2316),
    *(2334, 2350, 2365, 2378, 2390, 2401, 2411, 2420, 2429, 2437),
)
"""Pocock's bounds, in thousandths of a standard deviation, by the number of looks: equals cross one of the two in 9
of 100 events. Of ten, one is left for variances that are estimated. research/decisions.py computes the bounds."""
_PRIOR: Final = 2
"""The weight, in repetitions, of the variance of equals without duplicates: a few may be alike by chance."""
_DIGITS: Final = Context(prec=28)
"""Decimals are rounded correctly, other than the exponential function of a C library."""


class Decision(NamedTuple):
    """The order of entrants by points, and the places after which it is decided."""

    order: tuple[str, ...]
    """The entrants that still play, best first; those with equal points by name."""
    after: tuple[bool, ...]
    """For each place, True if all down to it are above all that follow; after the last nobody does."""


def decided_after(places: int, is_above: Callable[[int, int], bool]) -> tuple[bool, ...]:
    """Return for each place, from 0, whether all down to it are above all that follow."""
    decided, reached = list[bool](), 0
    for place in range(places):
        below = range(places - 1, max(place, reached), -1)
        reached = max(reached, place, next((other for other in below if not is_above(place, other)), 0))
        decided.append(reached == place)
    return tuple(decided)


def decision_of(settings: Settings, results: Iterable[MatchResult], *, gone: Collection[str]) -> Decision:
    """Return the decision by the results of whole repetitions.

    Args:
        settings: the event.
        results: the results, in any order.
        gone: the entrants that play no more. No match with them counts, since some would have more of those.
    """
    names = sorted(entrant.name for entrant in settings.entrants if entrant.name not in gone)
    points = _points(settings, results, names)
    order = sorted(range(len(names)), key=lambda number: (-sum(points[number]), number))
    leads = Leads(
        [points[number] for number in order], variance=points_variance(settings, len(names)), looks=settings.event.looks
    )
    return Decision(tuple(names[number] for number in order), decided_after(len(order), leads.is_above))


def _points(settings: Settings, results: Iterable[MatchResult], names: Sequence[str]) -> list[list[int]]:
    """Return the points of each entrant by repetition, of the tables at which all of them still play."""
    sides = {game.name: game.sides for game in settings.games}
    numbers = {name: number for number, name in enumerate(names)}
    played: Counter[tuple[str, tuple[str, ...]]] = Counter()
    found: Counter[tuple[int, int]] = Counter()
    for result in sorted(results):
        key = table_key(result)
        if numbers.keys() >= set(key[1]):
            repetition = played[key] // seating_count(len(key[1]))
            played[key] += 1
            for first, second, half_points in comparisons(result, sides[key[0]]):
                found[numbers[first], repetition] += half_points
                found[numbers[second], repetition] += 2 - half_points
    repetitions = 1 + max((repetition for _, repetition in found), default=0)
    return [[found[number, repetition] for repetition in range(repetitions)] for number in range(len(names))]


class Leads:
    """The leads of entrants, best first, over one another."""

    def __init__(self, points: Sequence[Sequence[int]], *, variance: Fraction, looks: int) -> None:
        """Take the points of each entrant by repetition."""
        self._points = points
        self._repetitions = len(points[0]) if points else 1
        self._variance = variance
        self._bound = _squared_bound(looks, freedom=self._repetitions - 1 + _PRIOR)

    def is_above(self, one: int, other: int) -> bool:
        """Return True if the lead of the first over the second is more than chance explains."""
        leads = [first - second for first, second in zip(self._points[one], self._points[other], strict=True)]
        number, lead, squares = self._repetitions, sum(leads), sum(lead**2 for lead in leads)
        scatter = number * squares - lead**2 + _PRIOR * number * self._variance
        return lead > 0 and lead**2 * (number - 1 + _PRIOR) >= self._bound * scatter


def points_variance(settings: Settings, entrants: int) -> Fraction:
    """Return the variance of the lead of one over another in a repetition, if all are equal and deals differ.

    Among n equal sides the number that one beats has the variance (n² - 1) / 12, and the difference of two of these
    numbers n (n + 1) / 6; points count twice.
    """
    total, others = Fraction(0), max(0, entrants - 2)
    for game in settings.games:
        sides, size = len(set(game.sides)), game.table_size
        together, apart = math.comb(others, size - 2), 2 * math.comb(others, size - 1)
        of_table = together * Fraction(2 * sides * (sides + 1), 3) + apart * Fraction(sides**2 - 1, 3)
        total += seating_count(size) * of_table
    return total


@cache
def _squared_bound(looks: int, *, freedom: int) -> Fraction:
    """Return the square of the bound of Student's test, by Wallace's approximation; see ``rating/intervals.py``."""
    with localcontext(_DIGITS):
        z = Decimal(_BOUNDS[looks - 1] * (8 * freedom + 3)) / (1000 * (8 * freedom + 1))
        return Fraction(freedom * ((z * z / freedom).exp() - 1))


class RepetitionRounds:
    """The rounds of an event that goes on until its first places are decided: ``repetitions`` of them in each."""

    def __init__(self, settings: Settings) -> None:
        """Begin before the first round."""
        self._settings = settings
        self._tables = repetition_of(settings)
        self._results: list[MatchResult] = []
        self._left = settings.event.most_repetitions

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of the next repetitions; none once the places are decided, or ``at_most`` are played."""
        tables = [table for table in self._tables if gone.isdisjoint(table.entrants)]
        if self._results and self._is_decided(gone):
            return []
        return tables * min(self._settings.event.repetitions, self._left)

    def _is_decided(self, gone: frozenset[str]) -> bool:
        return all(decision_of(self._settings, self._results, gone=gone).after[: self._settings.event.until_decided])

    def enter(self, tables: Sequence[Table]) -> None:
        """Take over a round that was played before the event changed: its results say all."""

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:  # noqa: ARG002 - others need it
        """Add the results of a round."""
        self._results += played
        self._left = max(0, self._left - self._settings.event.repetitions)
