import json
from collections.abc import Callable

import numpy as np
import pytest

from ordago.store import MatchResult
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import pairings
from ordago_ladder.rating.spreads import Spreads
from ordago_ladder.run.estimate import LikeError, estimate, published_spreads
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

    By a prior that hardly draws them together: fitted to equals, it would leave less to scatter. Few sets lengthen
    intervals besides, by Student's distribution.
    """
    event = make_event(games, terms=f"repetitions = {repetitions}")
    equal = dict.fromkeys("abcde", 1500.0)
    off = [
        rating.elo - 1500
        for seed in range(60)
        for rating in rate(pairings(make_results(event, equal, seed=seed)), entrants=equal, spreads=WIDE).ratings
    ]
    assert 1.96 * np.std(off) == pytest.approx(estimate(event).least_elo_error, rel=0.15)


def test_four_times_the_matches_halve_the_error(make_event: MakeEvent) -> None:
    once, often = (estimate(make_event(terms=f"repetitions = {count}")).least_elo_error for count in (50, 200))
    assert once == pytest.approx(2 * often, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "entrants", "repetitions"),
    [([("duel", 2)], 8, 3), ([("trio", 3)], 6, 2), ([("crowd", 5)], 6, 3), ([("trio", 3), ("pairs", 4)], 5, 4)],
)
@pytest.mark.parametrize("spread", [1, 92, 250, 500])
def test_what_comes_lies_within_the_range(
    make_event: MakeEvent,
    make_results: MakeResults,
    games: list[tuple[str, int]],
    entrants: int,
    repetitions: int,
    spread: float,
) -> None:
    """From equals up to twice the usual spread, published intervals are as long as the plan says.

    The prior of equals is fitted to them, and shortens their intervals by a tenth more than the plan knows.
    """
    event = make_event(games, entrants=entrants, terms=f"repetitions = {repetitions}")
    names, planned, found = [entrant.name for entrant in event.entrants], estimate(event), []
    for seed in range(8):
        strengths = dict(zip(names, np.random.RandomState(seed).normal(1500, spread, entrants), strict=True))
        ratings = rate(pairings(make_results(event, strengths, seed=seed)), entrants=names).ratings
        found.append(np.mean([rating.half_length for rating in ratings]))
    assert 0.85 * planned.least_elo_error < np.mean(found) < planned.elo_error


def test_an_earlier_ladder_narrows_the_range(make_event: MakeEvent) -> None:
    event, equals = make_event([("duel", 2), ("trio", 3)]), {"strengths": 50.0, "seats": 9.9, "wide": 80.0}
    text = json.dumps({"by_game": {"duel": {"spreads": equals}, "lone": {"spreads": equals}}, "more": 1})
    found = published_spreads(text.encode())
    assert found["duel"] == (31.25, 80.0)
    usual, like = estimate(event), estimate(event, spreads=found)
    assert usual.least_elo_error < like.least_elo_error < like.elo_error < usual.elo_error


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"by_game": {"duel": {}}}', '{"by_game": {"duel": {"spreads": {"strengths": 0, "wide": 1}}}}'],
)
def test_a_file_without_spreads_is_refused(text: str) -> None:
    with pytest.raises(LikeError, match="it has no spreads"):
        published_spreads(text.encode())
