"""Ratings over time in simulated fields: the measure of research/careers.py, in small."""

from collections.abc import Iterator

import numpy as np
import pytest

from ordago_bench.simulated.careers import HOUSE, KINDS, WEEKS, simulated_field, simulated_week
from ordago_ladder.standing.ratings import Assumptions, Careers


def last_errors(kind: str, assumptions: Assumptions) -> Iterator[tuple[float, bool]]:
    """Yield how far ratings are off after the last week, and whether intervals hold the truth."""
    field = simulated_field(kind, seed=1)
    careers = Careers(anchors=HOUSE, assumptions=assumptions)
    careers.enter(career.player for career in field)
    for week in range(WEEKS):
        careers.add(simulated_week(field, week, matches=70, seed=1))
    truths = {career.player.player: career.strengths.get(WEEKS - 1) for career in field if not career.player.house}
    for rating in careers.ratings().overall.ratings:
        if (truth := truths.get(rating.player)) is not None:
            yield rating.elo - truth, rating.low <= truth <= rating.high


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_most_intervals_hold_the_truth(kind: str) -> None:
    errors, held = zip(*last_errors(kind, Assumptions()), strict=True)
    assert np.mean(held) >= 0.8
    assert np.mean(np.abs(errors)) < 80


@pytest.mark.slow
def test_a_field_that_gets_better_is_followed_by_drift() -> None:
    """Without it all are rated weaker than they are by more, and fewer intervals hold the truth."""
    errors, held = zip(*last_errors("drifting", Assumptions()), strict=True)
    still_errors, still_held = zip(*last_errors("drifting", Assumptions(drift=0.0)), strict=True)
    assert np.mean(still_errors) < np.mean(errors) - 3 < 0
    assert np.mean(held) > np.mean(still_held)
