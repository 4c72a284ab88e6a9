"""All figures in one run: a line that fails does not take down the others, and what is missing is not met."""

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from ordago_bench import crowd as crowds
from ordago_bench.alone import measure_alone
from ordago_bench.crowd import measure_crowd, measure_patience
from ordago_bench.lines import Benchmark, Found, MissingError, all_lines
from ordago_bench.processor_time import Costs
from ordago_bench.ratings import measure_ratings
from ordago_bench.referees import measure_processes
from ordago_bench.replaying import measure_replay
from ordago_bench.starts import HELP, measure_first_decision, measure_program
from ordago_cli.bench import all as bench_all
from ordago_cli.bench.all import machine
from ordago_cli.errors import EXIT_INTERRUPTED
from ordago_cli.program import program

Measured = Callable[..., tuple[int, list[dict[str, object]]]]


def met() -> Found:
    return Found("3 s", 0.5, met=True)


def missing() -> Found:
    raise MissingError("the peer is not installed")


def failing() -> Found:
    raise ValueError("no such thing")


def stopped() -> Found:
    raise KeyboardInterrupt


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Measured:
    def run(*measures: Callable[[], Found]) -> tuple[int, list[dict[str, object]]]:
        lines = [Benchmark(measure.__name__, "-", "<= 6 s", measure) for measure in measures]
        monkeypatch.setattr(bench_all, "all_lines", lambda *, quick: lines)  # noqa: ARG005 - as it is called
        done = CliRunner().invoke(program, ["bench", "all", "--json"])
        return done.exit_code, json.loads(done.stdout)["lines"]

    return run


def test_a_line_that_fails_says_why_and_the_others_go_on(
    measured: Measured,
) -> None:
    exit_code, rows = measured(failing, missing, met)
    assert exit_code == 0
    assert [(row["met"], row["why"]) for row in rows] == [
        (None, "it failed: ValueError: no such thing"),
        (None, "the peer is not installed"),
        (True, ""),
    ]


def test_ctrl_c_prints_what_was_measured(measured: Measured) -> None:
    exit_code, rows = measured(met, stopped, met)
    assert exit_code == EXIT_INTERRUPTED
    assert [row["what"] for row in rows] == ["met"]


def test_each_line_has_a_name_of_its_own() -> None:
    names = [line.what for line in all_lines(quick=True)]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_a_match_alone_and_starts_are_measured() -> None:
    alone = measure_alone(seconds=0.2, rounds=1)
    assert alone.decision_ms > 0
    assert alone.ratio == pytest.approx(alone.decision_ms / alone.echo_ms)
    assert 0 < measure_program(HELP, rounds=1) < 30
    assert 0 < measure_first_decision(rounds=1) < 60


@pytest.mark.slow
def test_a_crowd_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    # That it is measured is shown, and not what comes out: nobody has to settle for that.
    monkeypatch.setattr(crowds, "_SETTLING_SECONDS", 0.3)
    crowd = measure_crowd(bots=40, seconds=0.3)
    assert 0 < crowd.p50_ms <= crowd.p99_ms
    assert crowd.cost_ratio > 0


@pytest.mark.slow
def test_bots_that_think_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "_SETTLING_SECONDS", 0.3)
    patience = measure_patience(bots=40, think_ms=20, seconds=0.5, rounds=2)
    assert 0 < patience.p50_ms <= patience.p99_ms <= patience.slowest_ms
    assert patience.decisions_per_s < 40 / 2 / 0.02, "half of them think at any time"
    assert patience.cost_ratio > 0


@pytest.mark.slow
def test_processes_of_referees_are_measured() -> None:
    costs = measure_processes("mittlere", processes=2, seconds=0.5, rounds=1)
    assert min(costs) > 0


def test_the_busiest_process_says_how_quick_a_server_is() -> None:
    costs = Costs(alone=60.0, front=20.0, shared=45.0)
    assert [costs.speed_up(processes) for processes in (1, 2, 3, 8)] == pytest.approx([60 / 45, 60 / 22.5, 3, 3])


@pytest.mark.slow
def test_the_proof_of_records_is_measured_beside_a_server_that_plays() -> None:
    rate = measure_replay(matches=1, copies=2, rounds=1)
    assert rate.records_per_s > 0
    assert rate.ratio > 0


def test_ratings_are_measured() -> None:
    seconds = measure_ratings(number=1_800, resamplings=3)
    assert seconds.rated > 0
    assert seconds.resampled > 0


def test_the_machine_is_told() -> None:
    assert machine()["cores"]
