"""Random draw of opponents, weighted towards pairings that are informative and new."""

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
"""The half width in Elo of an interval whose standard deviation is 1 in the unit of the fit."""
_PROBIT: Final = math.pi / 8
"""The square of the factor λ with which the normal distribution function of λx is close to the logistic one of x."""

_WIDE: Final = 8
"""The divisor of the variance in the discount for wide intervals: undiscounted, a result could tell more than a bit."""


def together(partners: Sequence[KnownStrength]) -> KnownStrength:
    """Return the strength of a side: the mean of its partners', with the interval of that mean."""
    elo = math.fsum(strength.elo for strength in partners) / len(partners)
    return KnownStrength(elo, math.hypot(*(strength.half_width for strength in partners)) / len(partners))


def openness(one: KnownStrength, other: KnownStrength) -> float:
    """Return the openness of a pairing, from 0 (decided) to 1 (both are equally likely to win)."""
    return _openness(one.elo - other.elo, _variance(one, other))


def information(one: KnownStrength, other: KnownStrength) -> float:
    """Return the expected information of a pairing about the difference of two strengths, in bits.

    It approximates the mutual information of result and difference under the rating model, to within 15 % for
    differences up to 400 Elo. For narrow intervals it is the entropy that a normal distribution loses by one result.
    """
    variance = _variance(one, other)
    weight = _openness(one.elo - other.elo, variance) / 4 / (1 + variance / _WIDE)
    return math.log2(1 + variance * weight) / 2


def _openness(elo: float, variance: float) -> float:
    # Uncertain strengths make the result less certain than their means say.
    share = 1 / (1 + math.exp(-abs(elo) / ELO / math.sqrt(1 + _PROBIT * variance)))
    return 4 * share * (1 - share)


def _variance(one: KnownStrength, other: KnownStrength) -> float:
    """Return the variance of the difference of two strengths, in the unit of the fit."""
    return (one.half_width * one.half_width + other.half_width * other.half_width) / (_DEVIATION * _DEVIATION)


class Drawn(NamedTuple):
    """A bot that was drawn."""

    waiting: Waiting
    chance: float
    """The probability of that draw, from 0 to 1."""


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
    """Draw bots one after the other, until the table is full or nobody is left. Return them in that order.

    Args:
        seated: the bots at the table; the first one looks for opponents.
        eligible: the bots that may be drawn, in an order that does not depend on chance.
        kind: the kind of the table.
        bar: the least openness of a pairing with the first, from 0 to 1.
        past: the earlier meetings.
        rng: the source of randomness.
        again: let accounts share a table even if they have met too often.
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
    """Return the others that may still join once ``one`` is seated, with their increased weights."""
    strength = one.strengths[kind.game]
    return [
        (other, value + newness * information(strength, other.strengths[kind.game]))
        for other, value in left
        if (newness := past.newness(one.seated, other.seated, kind, again=again))
    ]


def _drawn(weights: Sequence[float], left: float) -> int:
    """Return the index at which the running sum of the weights exceeds ``left``."""
    for number, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return number
    return len(weights) - 1
