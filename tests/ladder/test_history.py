from collections.abc import Callable
from random import Random

import pytest

from ordago.store import MatchResult
from ordago_ladder.rating.history import head_to_head, stages
from ordago_ladder.rating.ladder import Tally, build_ladder
from ordago_ladder.rating.results import pairings
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list[MatchResult]]

STRENGTHS = {"a": 1700.0, "b": 1600.0, "c": 1500.0, "d": 1400.0, "e": 1300.0}


@pytest.fixture
def event(make_event: MakeEvent) -> Settings:
    return make_event([("trio", 3), ("duel", 2)], terms="repetitions = 2")


@pytest.fixture
def results(event: Settings, make_results: MakeResults) -> list[MatchResult]:
    return make_results(event, STRENGTHS)


def test_ratings_come_about_in_tenths_of_the_sets(event: Settings, results: list[MatchResult]) -> None:
    found = stages(event, Random(1).sample(results, len(results)))
    assert [stage.sets for stage in found] == list(range(4, 41, 4))
    overall = build_ladder(event, results, secret_digest=b"").overall
    assert found[-1].ratings == tuple(line.rating for line in overall.lines)
    lengths = [sum(rating.half_length for rating in stage.ratings) for stage in found]
    assert lengths[0] > 2 * lengths[-1]


def test_what_comes_later_does_not_change_what_was(event: Settings, results: list[MatchResult]) -> None:
    keys = list(dict.fromkeys(played.planned.set_key for played in results))
    half = [played for played in results if played.planned.set_key in keys[:20]]
    assert stages(event, half, parts=5)[-1] == stages(event, results, parts=2)[0]


def test_few_sets_have_a_stage_each(event: Settings, results: list[MatchResult]) -> None:
    first = [played for played in results if played.planned.set_key == results[0].planned.set_key]
    assert [stage.sets for stage in stages(event, first)] == [1]
    assert stages(event, []) == ()


def test_head_to_head_is_of_the_two_alone(results: list[MatchResult]) -> None:
    found = head_to_head(results, "a", "e")
    mine = [pairing for pairing in pairings(results) if {*pairing.kind.first, *pairing.kind.second} == {"a", "e"}]
    assert [game for game, _ in found.by_game] == ["duel", "trio"]
    assert sum(tally.pairings for _, tally in found.by_game) == len(mine)
    assert found.difference is not None
    assert found.likelihood is not None
    assert found.difference.low > 0
    assert found.likelihood > 0.99
    turned = head_to_head(results, "e", "a")
    for (_, tally), (_, other) in zip(found.by_game, turned.by_game, strict=True):
        assert tally == Tally(other.losses, other.ties, other.wins)
    assert turned.likelihood == pytest.approx(1 - found.likelihood)


def test_who_never_met_is_not_compared(results: list[MatchResult]) -> None:
    apart = [played for played in results if not {"a", "b"} <= set(played.planned.entrants)]
    assert head_to_head(apart, "a", "b") == ((), None, None)
