"""What is said of the strength when a test stops, held against random walks."""

import numpy as np
import pytest

from ordago_bench.simulated.comparisons import Shape, ended_tests, simulate
from ordago_ladder.sequential.hypotheses import Hypotheses, Thresholds
from ordago_ladder.sequential.likelihood import SetScores
from ordago_ladder.sequential.strength import (
    Outcome,
    clock_left,
    drift_at,
    fixed_strength,
    likelihood_of_no_more,
    lower_first,
    sequential_strength,
    sets_left,
)

BOUNDS = Thresholds(-2.0, 3.0)
STEP = 0.002
WALKS = 2_000


def walked(drift: float, clock: float) -> tuple[np.ndarray, np.ndarray]:
    """Return where walks are when the clock shows so much, or where they ended, and when that was."""
    random = np.random.RandomState(1)
    at, ended = np.zeros(WALKS), np.full(WALKS, np.inf)
    for number in range(round(clock / STEP)):
        going = np.isinf(ended)
        at[going] += drift * STEP + np.sqrt(STEP) * random.standard_normal(int(going.sum()))
        # A walk of finite steps looks for the bounds too seldom: they are as if they were so much nearer.
        near = 0.5826 * np.sqrt(STEP)
        ended[going & ((at <= BOUNDS.lower + near) | (at >= BOUNDS.upper - near))] = number * STEP
    return at, ended


@pytest.mark.parametrize("drift", [-0.8, 0.0, 0.5])
def test_outcomes_are_as_likely_as_in_random_walks(drift: float) -> None:
    at, ended = walked(drift, 4.0)
    low, high = (np.isfinite(ended) & (at < 0)), (np.isfinite(ended) & (at > 0))
    margin = 3 * np.sqrt(0.25 / WALKS)
    for y in (-1.0, 0.5, 2.0):
        found = likelihood_of_no_more(Outcome(4.0, y), BOUNDS, drift)
        assert found == pytest.approx(np.mean(low | (~high & (at <= y))), abs=margin)
    stopped_low = likelihood_of_no_more(Outcome(2.0, BOUNDS.lower), BOUNDS, drift)
    assert stopped_low == pytest.approx(np.mean(low & (ended <= 2.0)), abs=margin)
    stopped_high = likelihood_of_no_more(Outcome(2.0, BOUNDS.upper), BOUNDS, drift)
    assert stopped_high == pytest.approx(1 - np.mean(high & (ended <= 2.0)), abs=margin)


def test_the_likelihood_of_the_lower_bound_is_that_of_the_game_of_ruin() -> None:
    assert lower_first(BOUNDS, 0.0) == pytest.approx(3 / 5)
    assert lower_first(BOUNDS, 1e-8) == pytest.approx(3 / 5, abs=1e-6)
    assert lower_first(Thresholds(-1, 1), 0.7) == pytest.approx(1 / (1 + np.exp(1.4)))
    assert lower_first(BOUNDS, -50) == pytest.approx(1)


@pytest.mark.parametrize("at", [BOUNDS.lower, -1.0, 0.0, 2.5, BOUNDS.upper])
@pytest.mark.parametrize("clock", [0.05, 0.5, 3.0, 30.0])
def test_the_drift_is_found_that_makes_an_outcome_so_likely(at: float, clock: float) -> None:
    drifts = [drift_at(Outcome(clock, at), BOUNDS, share) for share in (0.9, 0.5, 0.1)]
    assert drifts == sorted(drifts)
    found = [likelihood_of_no_more(Outcome(clock, at), BOUNDS, drift) for drift in drifts]
    assert found == pytest.approx([0.9, 0.5, 0.1], abs=1e-6)


@pytest.mark.slow
def test_what_is_left_is_what_walks_take_on_the_average() -> None:
    _, ended = walked(0.6, 40.0)
    assert clock_left(Outcome(1.0, 0.0), BOUNDS, 0.6) == pytest.approx(ended.mean(), rel=0.05)
    assert clock_left(Outcome(1.0, 1.0), BOUNDS, 0.0) == 3 * 2
    assert clock_left(Outcome(1.0, BOUNDS.upper), BOUNDS, 0.6) == 0


PAIRS = Shape("pairs", (5, 20, 50, 20, 5))


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "elo1"), [(0.0, 100.0), (100.0, 100.0), (-30.0, 60.0)])
def test_tests_err_as_seldom_as_is_said_and_are_shorter(elo: float, elo1: float) -> None:
    """A short form of research/sequential_errors.py; its long form is in docs/sequential.md."""
    runs = 200
    found = simulate(PAIRS, Hypotheses(0, elo1), elo=elo, runs=runs)
    assert found.errors <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
    assert found.sets < found.fixed_sets
    assert found.coverage >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / runs)


@pytest.mark.slow
def test_who_ended_early_by_luck_is_not_taken_at_his_word() -> None:
    """The estimate of a test that ended is nearer to the middle than its score, more so the earlier it ended."""
    hypotheses = Hypotheses(0, 50)
    ended = ended_tests(PAIRS, hypotheses, elo=0, runs=40, seed=1)
    for test in ended:
        plain = fixed_strength(test.scores)
        careful = sequential_strength(test.scores, hypotheses, test.ratio)
        assert abs(careful.elo - 25) < abs(plain.elo - 25)
        assert careful.low < careful.elo < careful.high
        assert sets_left(test.scores, hypotheses, test.ratio) == 0


@pytest.mark.parametrize("sets", [10, 30, 100])
def test_plain_intervals_hold_the_truth_often_enough(sets: int) -> None:
    random, runs = np.random.RandomState(5), 400
    shares, values = PAIRS.shares_at(30), PAIRS.values
    held = 0
    for _ in range(runs):
        strength = fixed_strength(SetScores(values[number] for number in random.choice(5, size=sets, p=shares)))
        held += strength.low <= 30 <= strength.high
    assert 0.95 - 3 * np.sqrt(0.05 * 0.95 / runs) <= held / runs
