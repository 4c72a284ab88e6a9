"""Opponents are drawn by chance, the likelier the more a match is expected to tell and the less they have met."""

import math
from collections.abc import Sequence
from math import fsum
from random import Random
from typing import Final, NamedTuple

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.seating.participants import Kind, KnownStrength, Waiting
from ordago_ladder.standing.seating.past import Past

_DEVIATION: Final = NORMAL_95 * ELO
"""The half width of a strength whose standard deviation is 1 in the unit of the fit."""
_PROBIT: Final = math.pi / 8
"""The square of what a normal variable is multiplied with so that its distribution is nearly the logistic one."""

_WIDE: Final = 8
"""What the variance is divided by to weigh a result less where much is unknown; it cannot tell more than a bit."""


def together(partners: Sequence[KnownStrength]) -> KnownStrength:
    """Return what is known of the strength of a side: the mean of those of its partners."""
    elo = math.fsum(strength.elo for strength in partners) / len(partners)
    return KnownStrength(elo, math.hypot(*(strength.half_width for strength in partners)) / len(partners))


def openness(one: KnownStrength, other: KnownStrength) -> float:
    """Return how open a pairing is, from 0 to 1, where either is as likely to win as the other."""
    return _openness(one.elo - other.elo, _variance(one, other))


def information(one: KnownStrength, other: KnownStrength) -> float:
    """Return how many bits a pairing is expected to tell of the difference of two strengths.

    It is what result and difference have in common in the model of the ratings, to within 15 % up to 400 points of Elo
    apart, by a formula that is quick: for narrow intervals what a normal distribution loses by one result.
    """
    variance = _variance(one, other)
    weight = _openness(one.elo - other.elo, variance) / 4 / (1 + variance / _WIDE)
    return math.log2(1 + variance * weight) / 2


def _openness(elo: float, variance: float) -> float:
    # What is not known of the strengths makes the result less certain.
    share = 1 / (1 + math.exp(-abs(elo) / ELO / math.sqrt(1 + _PROBIT * variance)))
    return 4 * share * (1 - share)


def _variance(one: KnownStrength, other: KnownStrength) -> float:
    """Return the variance of the difference, in the unit of the fit."""
    return (one.half_width * one.half_width + other.half_width * other.half_width) / (_DEVIATION * _DEVIATION)


class Drawn(NamedTuple):
    """Somebody who was drawn."""

    waiting: Waiting
    chance: float
    """How likely it was, from 0 to 1."""


def drawn(
    seated: Sequence[Waiting],
    eligible: Sequence[Waiting],
    kind: Kind,
    *,
    bar: float,
    past: Past,
    rng: Random,
    again: bool = False,
) -> list[Drawn]:
    """Draw who sits down with those who are seated, one after the other, until the table is full or nobody is left.

    Args:
        seated: who sits there; the first looks for opponents.
        eligible: who may be drawn, in an order that does not depend on chance.
        kind: the kind of the table.
        bar: how open a pairing with the first has to be, from 0 to 1.
        past: who met whom.
        rng: the chance.
        again: whether accounts may sit together that have met too often.
    """
    first = seated[0].strengths[kind.game]
    left = [(one, 0.0) for one in eligible if openness(first, one.strengths[kind.game]) >= bar]
    for other in seated:
        left = _sat_down(other, left, kind, past, again=again)
    found: list[Drawn] = []
    while left and len(seated) + len(found) < kind.seats:
        values = [value for _, value in left]
        weights = values if any(values) else [1.0] * len(left)
        total = fsum(weights)
        number = _drawn(weights, rng.random() * total)
        found.append(Drawn(left[number][0], weights[number] / total))
        left = _sat_down(left[number][0], left, kind, past, again=again)
    return found


def _sat_down(
    one: Waiting, left: Sequence[tuple[Waiting, float]], kind: Kind, past: Past, *, again: bool
) -> list[tuple[Waiting, float]]:
    """Return who of the others may still sit down, now that one sits there, and what each is worth to the table."""
    strength = one.strengths[kind.game]
    return [
        (other, value + newness * information(strength, other.strengths[kind.game]))
        for other, value in left
        if (newness := past.newness(one.seated, other.seated, kind, again=again))
    ]


def _drawn(weights: Sequence[float], left: float) -> int:
    """Return the number at which so much of the weights is used up."""
    for number, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return number
    return len(weights) - 1
