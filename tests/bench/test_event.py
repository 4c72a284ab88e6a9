"""An event of instant bots is measured in each way."""

from ordago.bench.event import measure_event


def test_an_event_is_measured_in_one_process_and_with_workers() -> None:
    rates = measure_event("mittlere", repetitions=1, parallel=4, workers=[2])
    assert list(rates) == ["one process, no network", "2 workers"]
    assert all(rate.decisions_per_s > rate.matches_per_s > 0 for rate in rates.values())
