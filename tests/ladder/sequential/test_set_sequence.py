"""What counts, and when a comparison is over."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from ordago.record import FaultCount, Result, SeatForfeit
from ordago_bench.simulated.comparisons import Shape
from ordago_ladder.sequential.hypotheses import Conclusion, Hypotheses
from ordago_ladder.sequential.likelihood import DOUBT, log_likelihood_ratio
from ordago_ladder.sequential.set_sequence import SETS_IN_A_ROW, Finished, SetSequence
from ordago_ladder.sequential.summary import rows_of, summary_of, verdict_of

HYPOTHESES = Hypotheses(0, 100)


def finished(*entrants: str, placings: tuple[int, ...], forfeits: tuple[int, ...] = ()) -> Finished:
    faults = tuple((FaultCount("crashed", 7),) if seat in forfeits else () for seat in range(len(entrants)))
    gone = tuple(SeatForfeit(seat, "crashed") for seat in forfeits)
    scores = tuple(10 - placing for placing in placings)
    return Finished(entrants, Result(scores, placings, faults=faults, forfeits=gone, strikes=((),) * len(entrants)))


@pytest.mark.parametrize(
    ("placings", "points"),
    [
        ((1, 2, 3), 1),
        ((3, 1, 1), 0),
        ((2, 1, 3), Fraction(1, 2)),
        ((1, 1, 3), Fraction(3, 4)),
        ((1, 1, 1), Fraction(1, 2)),
    ],
)
def test_points_are_the_share_of_the_others_that_are_left_behind(placings: tuple[int, ...], points: Fraction) -> None:
    assert finished("a", "b", "c", placings=placings).points_of("a") == points


def test_partners_have_the_placing_of_their_side() -> None:
    match = finished("b", "a", "b", "a", placings=(2, 1, 2, 1))
    assert (match.points_of("a"), match.points_of("b")) == (1, 0)


@pytest.mark.parametrize(
    ("forfeits", "points"),
    [((0,), 0), ((1,), 1), ((0, 1), Fraction(1, 4)), ((2,), Fraction(1, 2)), ((0, 1, 2), Fraction(1, 2))],
)
def test_who_forfeits_has_lost_to_those_who_do_not(forfeits: tuple[int, ...], points: Fraction) -> None:
    """Candidate and first opponent; what the default answers achieved for who forfeited does not matter."""
    placings = {(0,): (1, 2, 3), (1,): (2, 1, 3), (0, 1): (1, 2, 3), (2,): (2, 1, 3), (0, 1, 2): (1, 2, 3)}[forfeits]
    assert finished("a", "b", "c", placings=placings, forfeits=forfeits).points_of("a") == points


def match_of(points: int) -> Finished:
    return finished("a", "b", placings=(1, 2) if points else (2, 1))


def test_sets_count_in_the_order_of_the_schedule_whatever_the_order_in_which_they_end() -> None:
    random = Random(8)
    points = [[random.random() < 0.6 for _ in range(2)] for _ in range(200)]
    matches = [(number, match_of(point)) for number, both in enumerate(points) for point in both]
    found = []
    for attempt in range(4):
        if attempt:
            random.shuffle(matches)
        course = SetSequence(("a", "b"), matches_in_set=2, most_sets=200, hypotheses=HYPOTHESES)
        found.append([played for number, match in matches for played in course.add(number, match)])
        assert course.conclusion is Conclusion.STRONGER
    assert found[0] == found[1] == found[2] == found[3]
    assert 10 < len(found[0]) < 200, "what comes after the end counts no more"


def test_a_set_that_is_not_over_holds_up_those_behind_it() -> None:
    course = SetSequence(("a", "b"), matches_in_set=2, most_sets=5)
    assert [list(course.add(number, match_of(1))) for number in (1, 1, 2, 2, 0)] == [[], [], [], [], []]
    assert [played.number for played in course.add(0, match_of(0))] == [1, 2, 3]
    assert (course.sets, course.matches, course.over) == (3, 6, False)
    assert course.scores.counts == ((Fraction(1, 2), 1), (Fraction(1), 2))


def false_alarms(*, late: int) -> float:
    """Return how often equal bots are told apart when lost sets end so many sets later, by the order of their ends."""
    shape, runs, sets = Shape("pairs", (10, 20, 40, 20, 10)), 150, 100
    shares, values = shape.shares_at(0), np.array(shape.values, dtype=np.float64)
    scores = np.random.RandomState(4).choice(5, size=(runs, sets), p=shares)
    ends = np.arange(sets) + late * (scores < 2)
    order = np.argsort(ends, axis=1, kind="stable")
    counts = np.zeros((runs, 5))
    counts[:, [0, -1]] = DOUBT
    going, alarms = np.ones(runs, dtype=bool), 0
    for column in range(sets):
        counts[np.arange(runs), scores[np.arange(runs), order[:, column]]] += 1
        ratio = log_likelihood_ratio(values, counts, *Hypotheses(0, 50).scores)
        alarms += int((going & (ratio >= HYPOTHESES.bounds.upper)).sum())
        going &= abs(ratio) < HYPOTHESES.bounds.upper
    return alarms / runs


@pytest.mark.slow
def test_who_is_slow_when_he_loses_would_gain_by_it_if_sets_counted_as_they_end() -> None:
    """So they count in the order of the schedule: then it is as if nobody were late."""
    assert false_alarms(late=0) <= 0.08
    assert false_alarms(late=25) >= 0.2


def test_forfeiting_bad_deals_gains_nothing() -> None:
    """The candidate forfeits whatever it would lose, or tie: nowhere has it more points than if it had played on."""
    for placings in ((1, 2, 3), (2, 1, 3), (2, 2, 1), (3, 1, 2), (1, 1, 3)):
        for gone in ((), (1,), (1, 2)):
            plays_on = finished("a", "b", "c", placings=placings, forfeits=gone).points_of("a")
            assert finished("a", "b", "c", placings=placings, forfeits=(0, *gone)).points_of("a") <= plays_on


def test_who_forfeits_again_and_again_ends_the_comparison_without_a_conclusion() -> None:
    course = SetSequence(("a", "b"), matches_in_set=1, most_sets=50, hypotheses=HYPOTHESES)
    gone, well = (finished("a", "b", placings=(1, 2), forfeits=forfeits) for forfeits in ((1,), ()))
    for number, match in enumerate([*[gone] * (SETS_IN_A_ROW - 1), well, *[gone] * SETS_IN_A_ROW, gone]):
        list(course.add(number, match))
    assert (course.broken, course.over, course.sets) == ("b", True, 2 * SETS_IN_A_ROW)
    assert course.conclusion is Conclusion.UNDECIDED
    assert (course.forfeits["b"], course.faults["b"], course.faults["a"]) == (9, 63, 0)
    assert verdict_of(course).startswith("b forfeited in 5 sets in a row")


def test_what_is_told() -> None:
    course = SetSequence(("a", "b"), matches_in_set=2, most_sets=50, hypotheses=HYPOTHESES)
    assert dict(rows_of(summary_of(course)))["sets"] == "0 of at most 50, 0 matches"
    number = 0
    while not course.over:
        for points in (1, number % 4 > 0):
            list(course.add(number, match_of(points)))
        number += 1
    summary = summary_of(course)
    assert verdict_of(course) == "a is stronger: elo1=100 is accepted"
    assert summary.sets_saved == summary.fixed_sets - course.sets
    assert summary.as_json["set_scores"] == {"1/2": -(-number // 4), "1": number - -(-number // 4)}
    assert "sets saved" in dict(rows_of(summary))
