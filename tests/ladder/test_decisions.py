"""Round robins that go on until their first places are decided."""

import itertools
from collections.abc import Callable, Mapping
from random import Random

import numpy as np
import pytest
from support.courses import play_course

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.event_file.file import EventFileError
from ordago_ladder.schedule.counts import fewest_matches, match_count
from ordago_ladder.schedule.decisions import Leads, decided_after, decision_of, points_variance
from ordago_ladder.schedule.schedule import Plan, Schedule, plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list[MatchResult]]
TERMS = "repetitions = 2\nuntil_decided = 1\nat_most = 20"


@pytest.fixture
def event(make_event: MakeEvent) -> Settings:
    return make_event([("duel", 2)], entrants=4, terms=TERMS)


def play(event: Settings, make_results: MakeResults, strengths: Mapping[str, float]) -> tuple[Plan, list[MatchResult]]:
    """Play an event. Its results are the first of a plain round robin of ``at_most`` repetitions."""
    of = {result.planned: result for result in make_results(longest(event), strengths)}
    schedule, results = Schedule(event), dict[PlannedMatch, MatchResult]()
    while True:
        known = schedule.plan_by(results.get)
        if len(known.matches) == len(results):
            return known, list(results.values())
        results |= {match: of[match] for match in known.matches}


STRONG = {"a": 1900.0, "b": 1500.0, "c": 1500.0, "d": 1500.0}


def test_it_ends_once_the_first_place_is_decided(event: Settings, make_results: MakeResults) -> None:
    known, results = play(event, make_results, STRONG)
    assert known.complete
    assert fewest_matches(event) <= len(known.matches) < match_count(event) / 2
    assert decision_of(event, results, gone=()).order[0] == "a"
    assert decision_of(event, results, gone=()).after[0]
    for end in known.rounds[:-1]:
        assert not decision_of(event, [played for played in results if played.planned.row < end], gone=()).after[0]


def test_equals_play_on_until_at_most(event: Settings, make_results: MakeResults) -> None:
    known, _ = play(event, make_results, dict.fromkeys("abcd", 1500.0))
    assert (len(known.matches), known.complete) == (match_count(event), True)
    assert known.matches == plan(longest(event)).matches


def longest(event: Settings) -> Settings:
    """Return a plain round robin of ``at_most`` repetitions."""
    terms = {"repetitions": event.event.at_most, "until_decided": None, "at_most": None}
    return event.model_copy(update={"event": event.event.model_copy(update=terms)})


def test_the_order_of_results_does_not_matter(event: Settings, make_results: MakeResults) -> None:
    known, results = play(event, make_results, STRONG)
    Random(1).shuffle(results)
    assert plan(event, results) == known


@pytest.mark.parametrize("duplicates", ["true", "false"])
def test_points_decide_by_hand(make_event: MakeEvent, make_results: MakeResults, duplicates: str) -> None:
    """One of two entrants makes 4, 2, 3 and 4 of 4 points: it leads by 13 - 3 = 10, the sum of squares is 36.

    With twice the variance 8 of equals, the variance is (36 - 100/4 + 2 * 8) / 5 = 27/5, and t = 10 / sqrt(4 * 27/5) is
    2.15 with 5 degrees of freedom: more than 2.02 (95 %), less than 2.74, by four looks.
    """
    terms = f"duplicates = {duplicates}\nrepetitions = 4\nuntil_decided = 1\nat_most = "
    event = make_event([("duel", 2)], entrants=2, terms=f"{terms}4")
    won = iter([2, 2, 1, 1, 2, 1, 2, 2])
    results = []
    for played in make_results(longest(event), {"a": 0, "b": 0}):
        points = next(won)
        mine = played.planned.entrants.index("a")
        placings = {2: (1, 2), 1: (1, 1), 0: (2, 1)}[points][:: 1 if mine == 0 else -1]
        results.append(played._replace(result=played.result._replace(placings=placings)))
    assert decision_of(event, results, gone=()) == (("a", "b"), (True, True))
    looking = make_event([("duel", 2)], entrants=2, terms=f"{terms}16")
    assert decision_of(looking, results, gone=()) == (("a", "b"), (False, True))


def test_a_place_is_decided_only_if_all_down_to_it_are_above_all_that_follow() -> None:
    above = {(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)}
    assert decided_after(4, lambda one, other: (one, other) in above) == (True, False, True, True)
    assert decided_after(4, lambda one, other: (one, other) in above - {(0, 3)}) == (False, False, False, True)
    assert decided_after(1, lambda _one, _other: False) == (True,)
    assert decided_after(0, lambda _one, _other: False) == ()


@pytest.mark.parametrize(("game", "seats"), [("duel", 2), ("trio", 3), ("crowd", 5), ("pairs", 4)])
def test_the_variance_of_equals_is_what_play_shows(
    make_event: MakeEvent, make_results: MakeResults, game: str, seats: int
) -> None:
    event = make_event([(game, seats)], entrants=5, terms="repetitions = 60\nuntil_decided = 1\nat_most = 60")
    results = make_results(longest(event), dict.fromkeys("abcde", 1500.0))
    leads, tables = np.zeros((60, 5)), dict[tuple[str, ...], int]()
    for played in results:
        key = tuple(sorted(set(played.planned.entrants)))
        number = tables[key] = tables.get(key, -1) + 1
        repetition = number // (len(results) // 60 // sum(1 for _ in itertools.combinations("abcde", len(key))))
        for one, other in itertools.permutations(key, 2):
            mine, theirs = (played.placing(name) for name in (one, other))
            leads[repetition, "abcde".index(one)] += 1 + (mine < theirs) - (mine > theirs)
    found = np.mean([(leads[:, i] - leads[:, j]).var(ddof=1) for i, j in itertools.combinations(range(5), 2)])
    assert found == pytest.approx(float(points_variance(event, 5)), rel=0.15)


@pytest.mark.slow
def test_looking_often_errs_no_more_than_allowed(make_event: MakeEvent) -> None:
    """One of two equals is placed above the other in a tenth of events, so the weaker in a twentieth."""
    event = make_event([("duel", 2)], entrants=2, terms="until_decided = 1\nat_most = 20")
    random, variance, events = np.random.RandomState(1), points_variance(event, 2), 1_000

    def is_decided(points: np.ndarray[tuple[int, int], np.dtype[np.int64]], looks: int) -> bool:
        found = (
            Leads(points[:, :now].tolist(), variance=variance, looks=looks).is_above(one, 1 - one)
            for now in range(1, 21)
            for one in (0, 1)
        )
        return any(found)

    won = random.binomial(2, 0.5, size=(events, 20)) * 2
    drawn = [np.array([mine, 4 - mine]) for mine in won]
    assert 0.05 < sum(is_decided(points, 20) for points in drawn) / events < 0.12
    assert sum(is_decided(points, 1) for points in drawn) / events > 0.3


def test_who_is_gone_neither_counts_nor_is_placed(make_event: MakeEvent) -> None:
    """A suspended entrant leaves some with a match against it that others lack."""
    event = make_event([("duel", 2)], entrants=5, terms=f"suspend_after = 2\n{TERMS}")
    played = play_course(event, forfeiting="c")
    left = [one for one in played.results if "c" not in one.planned.entrants]
    assert len(left) < len(played.results)
    decision = decision_of(event, played.results, gone={"c"})
    assert decision == decision_of(event, left, gone={"c"})
    assert "c" not in decision.order
    assert played.plan.complete


@pytest.mark.parametrize(
    ("terms", "of_games", "named"),
    [
        ("until_decided = 1", "", "belong together"),
        ("at_most = 3", "", "belong together"),
        ("until_decided = 4\nat_most = 3", "", "takes less than the number of entrants"),
        ("until_decided = 1\nat_most = 21", "", "20 times"),
        ("until_decided = 1\nat_most = 3\nrepetitions = 4", "", "20 times"),
        ('until_decided = 1\nat_most = 3\noverall = "games"', "", "overall"),
        ("until_decided = 1\nat_most = 3", "sets = 3", "sets"),
        ('until_decided = 1\nat_most = 3\nformat = "open"\nsets_wanted = 4', "", "round-robin"),
    ],
)
def test_what_cannot_be_decided_is_refused(make_event: MakeEvent, terms: str, of_games: str, named: str) -> None:
    with pytest.raises(EventFileError, match=named):
        make_event([("duel", 2)], entrants=4, terms=terms, of_games=of_games)
