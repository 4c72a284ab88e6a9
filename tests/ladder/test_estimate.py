from collections.abc import Callable

import numpy as np
import pytest

from ordago.store import MatchResult
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import pairings
from ordago_ladder.rating.spreads import Spreads
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.process_slots import slots_needed
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list[MatchResult]]


@pytest.mark.parametrize("duplicates", ["true", "false"])
@pytest.mark.parametrize("games", [[("trio", 3)], [("pairs", 4)], [("duel", 2), ("crowd", 5), ("pairs", 4)]])
def test_the_figures_are_those_of_the_schedule(
    make_event: MakeEvent, games: list[tuple[str, int]], duplicates: str
) -> None:
    event = make_event(games, entrants=6, terms=f"repetitions = 2\nduplicates = {duplicates}")
    matches = plan(event).matches
    figures = estimate(event, matches_per_second=4)
    assert figures.matches == len(matches)
    assert figures.sets == len({match.set_key for match in matches})
    assert figures.process_slots == slots_needed(event)
    assert figures.processes == 6 * slots_needed(event)
    assert figures.seconds == len(matches) / 4
    assert estimate(event).seconds is None


WIDE = Spreads(strengths=800, seats=200, wide=800)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "repetitions"),
    [([("duel", 2)], 12), ([("trio", 3)], 4), ([("crowd", 5)], 20), ([("trio", 3), ("pairs", 4)], 6)],
)
def test_the_error_is_what_equal_entrants_show(
    make_event: MakeEvent, make_results: MakeResults, games: list[tuple[str, int]], repetitions: int
) -> None:
    """The scatter of ratings around the truth over many events of equal entrants is what was expected.

    By a prior that hardly draws them together: fitted to equals, it would leave less to scatter.
    """
    event = make_event(games, terms=f"repetitions = {repetitions}")
    equal = dict.fromkeys("abcde", 1500.0)
    off = [
        rating.elo - 1500
        for seed in range(60)
        for rating in rate(pairings(make_results(event, equal, seed=seed)), entrants=equal, spreads=WIDE).ratings
    ]
    assert 1.96 * np.std(off) == pytest.approx(estimate(event).elo_error, rel=0.15)


def test_four_times_the_matches_halve_the_error(make_event: MakeEvent) -> None:
    once, often = (estimate(make_event(terms=f"repetitions = {count}")).elo_error for count in (1, 4))
    assert once == pytest.approx(2 * often)
