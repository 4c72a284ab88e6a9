"""How much a match tells, beside the exact figure."""

import math

import numpy as np
import pytest

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.standing.seating import KnownStrength
from ordago_ladder.standing.seating.pairing_draw import information, openness, together


def exact(one: KnownStrength, other: KnownStrength) -> float:
    """Return how many bits a result and the difference of two normal strengths have in common, by summing it up."""
    deviation = math.hypot(one.half_width, other.half_width) / NORMAL_95 / ELO
    points = np.linspace(-8, 8, 4001)
    weights = np.exp(-(points**2) / 2)
    share = 1 / (1 + np.exp(-((one.elo - other.elo) / ELO + deviation * points)))
    share = np.clip(share, 1e-12, 1 - 1e-12)
    bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    mean = float((weights * share).sum() / weights.sum())
    whole = -(mean * math.log2(mean) + (1 - mean) * math.log2(1 - mean))
    return whole - float((weights * bits).sum() / weights.sum())


@pytest.mark.parametrize("half_width", [20.0, 60.0, 150.0, 300.0, 600.0, 1568.0])
@pytest.mark.parametrize("apart", [0.0, 100.0, 200.0, 400.0])
def test_it_is_close_to_the_exact_figure(apart: float, half_width: float) -> None:
    one, other = KnownStrength(1500.0, half_width), KnownStrength(1500.0 + apart, half_width)
    assert information(one, other) == pytest.approx(exact(one, other), rel=0.15)


def test_what_is_closer_or_less_known_tells_more() -> None:
    known, near, far = KnownStrength(1500, 40), KnownStrength(1520, 40), KnownStrength(1900, 40)
    assert information(known, near) > information(known, far)
    assert information(known, KnownStrength(1520, 200)) > information(known, near)
    assert information(KnownStrength(1500, 0), KnownStrength(1500, 0)) == 0


def test_how_open_a_pairing_is_does_not_depend_on_who_is_asked() -> None:
    one, other = KnownStrength(1200, 100), KnownStrength(1900, 30)
    assert openness(one, other) == openness(other, one) < 0.2
    assert openness(one, one) == 1.0
    assert openness(KnownStrength(0, 0), KnownStrength(1e6, 0)) == 0.0


def test_a_side_is_as_strong_as_its_partners_on_average_and_better_known() -> None:
    assert together([KnownStrength(1400, 30), KnownStrength(1600, 40)]) == (1500, 25)
