"""An event of instant bots is measured in each way."""

import pytest

from ordago_bench.event import EventRate, event_costs, measure_event


@pytest.mark.slow
def test_an_event_is_measured_in_one_process_and_with_workers() -> None:
    rates = measure_event("mittlere", repetitions=1, parallel=4, workers=[2])
    assert list(rates) == ["one process, no network", "2 workers"]
    assert all(rate.decisions_per_s > rate.matches_per_s > 0 for rate in rates.values())
    assert 0 < rates["2 workers"].runner_us_per_decision < rates["2 workers"].cpu_us_per_decision


def test_what_workers_are_worth_follows_from_what_each_process_uses() -> None:
    alone = EventRate(100.0, 10_000.0, 150.0, runner_us_per_decision=90.0)
    shared = EventRate(120.0, 12_000.0, 160.0, runner_us_per_decision=10.0, workers_us_per_decision=96.0)
    costs = event_costs(alone, shared)
    assert costs is not None
    assert costs.speed_up(2) == pytest.approx(90 / 48)
    assert event_costs(alone, shared._replace(workers_us_per_decision=None)) is None
