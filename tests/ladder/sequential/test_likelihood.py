"""The likelihood ratio of set scores, held against closed forms and a search."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from ordago_ladder.sequential.hypotheses import MOST_ELO, Conclusion, Hypotheses, elo_of, score_of
from ordago_ladder.sequential.likelihood import DOUBT, SetScores, log_likelihood_ratio


def test_elo_and_score_are_each_other_s_inverse() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    assert [elo_of(score_of(elo)) for elo in (-300.0, 0.0, 20.0)] == pytest.approx([-300, 0, 20])
    assert (elo_of(0), elo_of(1)) == (-MOST_ELO, MOST_ELO)


def test_with_wins_and_losses_alone_the_ratio_is_that_of_a_coin() -> None:
    low, high = 0.5, 0.55
    found = log_likelihood_ratio(np.array([0.0, 1.0]), np.array([30.0, 70.0]), low, high)
    assert float(found) == pytest.approx(70 * math.log(high / low) + 30 * math.log((1 - high) / (1 - low)))


def best_by_search(counts: tuple[float, ...], mean: float) -> float:
    """Return the greatest logarithm of a likelihood over distributions on 0, 1/2 and 1 with this expectation."""
    middles = np.linspace(1e-6, 2 * min(mean, 1 - mean) - 1e-6, 1_000_001)
    return float(
        np.max(
            counts[0] * np.log(1 - mean - middles / 2)
            + counts[1] * np.log(middles)
            + counts[2] * np.log(mean - middles / 2)
        )
    )


@pytest.mark.parametrize("counts", [(10.0, 20.0, 15.0), (0.5, 40.0, 0.5), (90.0, 1.0, 3.0)])
def test_no_distribution_with_the_expectation_is_more_likely(counts: tuple[float, ...]) -> None:
    found = log_likelihood_ratio(np.array([0, 0.5, 1]), np.array(counts), 0.47, 0.53)
    assert float(found) == pytest.approx(best_by_search(counts, 0.53) - best_by_search(counts, 0.47), abs=1e-6)


def test_many_experiments_at_once_are_as_each_alone() -> None:
    values = np.linspace(0, 1, 7)
    counts = np.random.RandomState(3).randint(1, 30, size=(5, 7)).astype(np.float64)
    together = log_likelihood_ratio(values, counts, 0.45, 0.6)
    assert list(together) == pytest.approx([float(log_likelihood_ratio(values, row, 0.45, 0.6)) for row in counts])


def test_who_changes_places_changes_nothing() -> None:
    scores = [Fraction(1, 12), Fraction(1, 2), Fraction(2, 3), Fraction(2, 3), Fraction(1)]
    own, others = SetScores(scores), SetScores(1 - score for score in scores)
    assert own.log_likelihood_ratio(0.5, 0.53) == pytest.approx(others.log_likelihood_ratio(0.5, 0.47))


def test_equal_scores_alone_prove_nothing_at_once() -> None:
    """Of identical bots every set comes out at a half: the test takes its time all the same."""
    hypotheses = Hypotheses(0, 20)
    ratios = [SetScores([Fraction(1, 2)] * sets).log_likelihood_ratio(*hypotheses.scores) for sets in (1, 10, 80)]
    assert [hypotheses.conclusion(ratio) for ratio in ratios] == [
        *[Conclusion.UNDECIDED] * 2,
        Conclusion.NOT_STRONGER,
    ]
    assert SetScores([Fraction(1, 2)] * 10).variance == pytest.approx(2 * DOUBT / 4 / (10 + 2 * DOUBT))


def test_the_bounds_are_wald_s() -> None:
    bounds = Hypotheses(0, 10, alpha=0.1, beta=0.2).bounds
    assert (math.exp(bounds.lower), math.exp(bounds.upper)) == pytest.approx((0.2 / 0.9, 0.8 / 0.1))


def test_a_fixed_test_has_the_power_that_it_is_said_to_have() -> None:
    """Where elo0 is the truth, the mean is beyond the threshold as often as alpha; where elo1 is, short of it."""
    hypotheses = Hypotheses(0, 40, alpha=0.05, beta=0.1)
    sets, (low, high) = hypotheses.fixed_sets(0.25), hypotheses.scores
    deviation = math.sqrt(0.25 / sets)
    assert (high - low) / deviation == pytest.approx(1.6449 + 1.2816, abs=0.01)


def test_scores_are_counted_exactly() -> None:
    scores = SetScores(Fraction(number, 12) for number, _ in itertools.product(range(13), range(3)))
    assert scores.sets == 39
    assert scores.mean == 0.5
    assert scores.counts[1] == (Fraction(1, 12), 3)
