"""How much results vary, as a multiple of independent pairings: fitted to sets of known dependence."""

import itertools
import math
from random import Random

import pytest

from ordago_ladder.rating.dispersion import scatter_of
from ordago_ladder.rating.fit import evidence_of
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import Kind, Pairing


def tables(
    sides: int, *, matches: int, apart: float = 0.0, repeated: int = 1, tied: bool = False, seed: int = 1
) -> list[Pairing]:
    """Return the pairings of matches, each ``repeated`` in a set, among entrants who are ``apart`` in strength."""
    rng = Random(seed)
    found = []
    for number in range(matches):
        seated = rng.sample("abcdef"[: sides + 1], sides)
        performed = [-apart * ord(name) - math.log(rng.expovariate(1)) for name in seated]
        for first, second in itertools.combinations(range(sides), 2):
            kind = Kind("game", (seated[first],), (seated[second],), first, second)
            half_points = 1 if tied else 2 * (performed[first] > performed[second])
            found += [Pairing(kind, f"{number:04}", half_points, rated=True)] * repeated
    return found


def dispersion(found: list[Pairing], *, anchors: dict[str, float] | None = None) -> float:
    names = {name for pairing in found for name in (*pairing.kind.first, *pairing.kind.second)}
    return scatter_of(evidence_of(found, entrants=names, anchors=anchors)).dispersion


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_pairings_of_a_table_of_equals_depend_on_each_other(sides: int) -> None:
    assert dispersion(tables(sides, matches=600)) == pytest.approx((sides + 1) / 3, rel=0.1)


def test_far_apart_they_depend_on_each_other_less() -> None:
    assert dispersion(tables(5, matches=600, apart=3)) < 1.5


def test_what_is_repeated_within_a_set_counts_once() -> None:
    assert dispersion(tables(2, matches=600, repeated=10)) == pytest.approx(10, rel=0.1)


def test_two_sets_change_little() -> None:
    """They say so little of how much results vary that what is usual still counts."""
    assert 0.4 < dispersion(tables(2, matches=2)) < 2
    assert 1 < dispersion(tables(5, matches=2)) < 4


def test_ties_alone_leave_some() -> None:
    few, many = (dispersion(tables(2, matches=matches, tied=True)) for matches in (4, 400))
    assert 0 < many < few < 1


def test_anchors_leave_the_dispersion_as_it_is() -> None:
    found = tables(3, matches=600)
    for names in ("a", "ab", "abcd"):
        assert dispersion(found, anchors=dict.fromkeys(names, 0.0)) == pytest.approx(dispersion(found), rel=0.05)


def test_partners_who_change_show_the_dispersion_of_independent_pairings() -> None:
    rng = Random(2)
    found = []
    for number in range(600):
        one, other, third, fourth = rng.sample("abcde", 4)
        kind = Kind("pairs", tuple(sorted((one, third))), tuple(sorted((other, fourth))), 0, 1)
        found.append(Pairing(kind, f"{number}", rng.choice((0, 2)), rated=True))
    assert dispersion(found) == pytest.approx(1, rel=0.1)


def test_a_hopeless_entrant_makes_no_ones_results_look_regular() -> None:
    """It loses every set in the same way, which says nothing of how those of the others vary."""
    found = tables(2, matches=300, repeated=4)
    hopeless = [
        Pairing(Kind("game", (name,), ("z",), 0, 1), f"z{number}{name}", 2, rated=True)
        for number in range(300)
        for name in "abc"
    ]
    assert dispersion(found + hopeless) == pytest.approx(dispersion(found), rel=0.1)


def test_results_that_are_repeated_move_ratings_no_further() -> None:
    """A bot that repeats its luck in all matches of a set gains nothing by it."""
    once, often = (
        rate(tables(2, matches=12, repeated=repeated, seed=4), entrants="abc").ratings[0].elo for repeated in (1, 20)
    )
    assert often - 1500 < 1.35 * (once - 1500)


def test_a_bot_that_throws_whole_sets_lengthens_other_intervals_little() -> None:
    """It wins all matches of a set or none, by a coin: the dispersion that all share rises by that."""
    fair = tables(2, matches=600, seed=3)
    rng = Random(4)
    thrown = [
        Pairing(Kind("game", (name,), ("z",), 0, 1), f"z{number}{name}", outcome, rated=True)
        for number in range(100)
        for name in "abc"
        for outcome in [rng.choice((0, 2))] * 4
    ]
    assert dispersion(fair + thrown) > 1.3 * dispersion(fair)
    alone, beside = rate(fair, entrants="abc"), rate(fair + thrown, entrants="abcz")
    for one, other in itertools.combinations("abc", 2):
        before, after = alone.difference(one, other), beside.difference(one, other)
        assert before is not None
        assert after is not None
        assert after.half_length < 1.2 * before.half_length, "the sets against it are noise, the others count as before"
