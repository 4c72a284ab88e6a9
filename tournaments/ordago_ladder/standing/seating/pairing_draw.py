"""Who is drawn to sit with whom: by chance, and the likelier the more a match tells and the less they have met."""

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import NamedTuple

from ordago_ladder.standing.seating.information import information, openness
from ordago_ladder.standing.seating.participants import Kind, Waiting
from ordago_ladder.standing.seating.past import Past


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
