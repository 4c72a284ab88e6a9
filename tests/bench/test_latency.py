"""Latencies in logarithmic bins: precise enough, and to be added up and taken apart."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordago_bench.latency import Latencies

PRECISION = 1.05


def counted(*seconds: float) -> Latencies:
    latencies = Latencies()
    for one in seconds:
        latencies.add(one)
    return latencies


def test_nothing_counted_is_nothing() -> None:
    assert counted().quantile_ms(0.5) == 0.0


@given(st.floats(1e-6, 100))
def test_one_latency_is_every_quantile_of_itself(seconds: float) -> None:
    for share in (0.01, 0.5, 1.0):
        quantile = counted(seconds).quantile_ms(share)
        # The figures are rounded to a thousandth of a millisecond.
        assert 1000 * seconds / PRECISION - 0.001 <= quantile <= 1000 * seconds * PRECISION + 0.001


@pytest.mark.parametrize(("share", "rank"), [(0.5, 500), (0.9, 900), (0.99, 990), (1.0, 1000)])
def test_a_quantile_is_not_exceeded_by_its_share(share: float, rank: int) -> None:
    rng = Random(1)
    seconds = sorted(rng.lognormvariate(-6, 1.5) for _ in range(1000))
    quantile = counted(*seconds).quantile_ms(share) / 1000
    assert seconds[rank - 1] / PRECISION <= quantile <= seconds[rank - 1] * PRECISION


def test_too_short_to_be_measured_is_a_microsecond() -> None:
    assert counted(0.0).quantile_ms(1.0) == counted(1e-6).quantile_ms(1.0) > 0.0


def test_what_came_since_is_what_was_not_there_before() -> None:
    latencies = counted(0.001, 0.002)
    before = Latencies(latencies.bins)
    latencies.add(0.5)
    assert latencies.since(before).bins == counted(0.5).bins
    assert before.bins == counted(0.002, 0.001).bins, "it is a copy"


def test_counts_add_up_after_a_way_through_json() -> None:
    one, other = counted(0.001, 0.01), counted(0.01, 0.1)
    received = {int(number): count for number, count in json.loads(json.dumps(dict(one.bins))).items()}
    total = Latencies(received)
    total.bins += other.bins
    assert total.bins == counted(0.001, 0.01, 0.01, 0.1).bins
