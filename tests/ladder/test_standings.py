import json
from collections.abc import Callable

import pytest

from ordago.chance import commitment
from ordago.store import MatchResult
from ordago_ladder.publication.exports import ladder_json, ladder_pgn
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

SECRET = bytes(range(32))
STRENGTHS = {"a": 1800.0, "b": 1600.0, "c": 1500.0, "d": 1200.0}
TERMS = "repetitions = 2"


@pytest.fixture
def event(make_event: Callable[..., Settings]) -> Settings:
    return make_event([("trio", 3), ("pairs", 4)], entrants=4, terms=TERMS)


@pytest.fixture
def results(event: Settings, make_results: Callable[..., list[MatchResult]]) -> list[MatchResult]:
    return make_results(event, STRENGTHS)


@pytest.fixture
def ladder(event: Settings, results: list[MatchResult]) -> Ladder:
    return build_ladder(event, results, secret_digest=commitment(SECRET))


def test_all_games_may_count_the_same(
    make_event: Callable[..., Settings], results: list[MatchResult], ladder: Ladder
) -> None:
    """What the file asks for is the overall ladder, and the other is beside it."""
    games = [("trio", 3), ("pairs", 4)]
    equal = make_event(games, entrants=4, terms=f'{TERMS}\noverall = "games"')
    asked = build_ladder(equal, results, secret_digest=commitment(SECRET))
    assert ladder.equal_games == asked.overall
    assert ladder.overall != asked.overall
    assert asked.equal_games is None
    assert asked.settings_digest == ladder.settings_digest
    assert build_ladder(make_event(), [], secret_digest=b"").equal_games is None


def test_points_have_intervals_over_sets(ladder: Ladder) -> None:
    trio = ladder.by_game[0]
    for line in trio.lines:
        points, a_deal = line.points_per_match, line.points_per_deal
        assert points is not None
        assert a_deal is not None
        assert points.value == pytest.approx(line.mean_score)
        assert points.low < points.value < points.high
        assert a_deal == pytest.approx([end / 12 for end in points])
    assert all(line.points_per_match is None for line in ladder.overall.lines)


def test_too_few_sets_have_no_interval_of_points(event: Settings, results: list[MatchResult]) -> None:
    keys = [key for key in dict.fromkeys(played.planned.set_key for played in results) if key.startswith("trio")]
    few = [played for played in results if played.planned.set_key in keys[:2]]
    trio = build_ladder(event, few, secret_digest=commitment(SECRET)).by_game[0]
    assert all(line.mean_score is not None for line in trio.lines)
    assert all(line.points_per_match is None for line in trio.lines)


def test_anchors_have_the_ratings_that_are_known(
    make_event: Callable[..., Settings], results: list[MatchResult], ladder: Ladder
) -> None:
    event = make_event([("trio", 3), ("pairs", 4)], entrants=4, terms=f"{TERMS}\n[anchors]\nc = 1200\n")
    bound = build_ladder(event, results, secret_digest=commitment(SECRET))
    for standings in (bound.overall, *bound.by_game):
        [anchor] = [line.rating for line in standings.lines if line.entrant == "c"]
        assert (anchor.low, anchor.elo, anchor.high) == (1200, 1200, 1200)
    assert bound.settings_digest == ladder.settings_digest
    assert json.loads(ladder_json(bound))["anchors"] == {"c": 1200}


def test_mixed_pairs_are_a_pairing_each(
    make_event: Callable[..., Settings], make_results: Callable[..., list[MatchResult]]
) -> None:
    """a and c have won against b and d: each has met two, in one pairing."""
    event = make_event([("pairs", 4)], entrants=4, terms=TERMS)
    [played, *_] = make_results(event, STRENGTHS)
    planned = played.planned._replace(entrants=tuple("abcd"))
    result = played.result._replace(placings=(1, 2, 1, 2), scores=(5, 0, 5, 0))
    mixed = MatchResult(played.match._replace(planned=planned), result)
    standings = build_ladder(event, [mixed], secret_digest=commitment(SECRET)).overall
    assert [line.entrant for line in standings.lines] == list("acbd")
    assert [(line.rank, line.tally.pairings, line.placings) for line in standings.lines] == [
        (1, 1, (1, 0)),
        (1, 1, (1, 0)),
        (3, 1, (0, 1)),
        (3, 1, (0, 1)),
    ]
    assert [tally and tally.wins for tally in standings.crosstable[0]] == [None, 0, 1, 1]
    ladder = build_ladder(event, [mixed], secret_digest=commitment(SECRET))
    assert '[White "a & c"]\n[Black "b & d"]\n[Result "1-0"]' in ladder_pgn(ladder)
