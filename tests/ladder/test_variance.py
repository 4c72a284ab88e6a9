"""What duplicates spare: the variance that they leave, told from the pairings of an event."""

from random import Random

import pytest
from ladder.conftest import MakeEvent, MakeResults

from ordago_ladder.rating.results import Kind, Pairing
from ordago_ladder.rating.variance import matches_saved, variance_ratio

SETS = 300


def of_luck(share: float, *, seed: int = 0, strength: float = 0.0, seat: float = 0.0) -> list[Pairing]:
    """Return sets of two matches, decided by strength, a seat, and luck, a share of it in the deal."""
    rng, found = Random(seed), []
    for number in range(SETS):
        deal = rng.gauss(0, 1)
        for first, second in (("a", "b"), ("b", "a")):
            luck = share**0.5 * deal + (1 - share) ** 0.5 * rng.gauss(0, 1)
            lead = luck + seat + (strength if first == "a" else -strength)
            found.append(Pairing(Kind("duel", first, second, 0, 1), f"{number}", 2 if lead > 0 else 0, rated=True))
    return found


def test_where_luck_is_in_the_deal_duplicates_leave_nothing() -> None:
    left = variance_ratio(of_luck(1.0))
    assert left is not None
    assert left.ratio == pytest.approx(0.0, abs=0.01)


def test_where_luck_is_not_in_the_deal_they_change_nothing() -> None:
    """Nor are the strengths of entrants and what a seat is worth taken for luck."""
    for seed in range(5):
        left = variance_ratio(of_luck(0.0, seed=seed, strength=0.5, seat=0.5))
        assert left is not None
        assert abs(left.ratio - 1) < 3 * left.standard_error
        assert 0.03 < left.standard_error < 0.1


@pytest.mark.slow
def test_the_standard_error_is_what_ratios_vary_by() -> None:
    """Of forty samples about 27 lie within one standard error of what all of them say."""
    found = [variance_ratio(of_luck(0.5, seed=seed)) for seed in range(40)]
    ratios = [each.ratio for each in found if each is not None]
    truth = sum(ratios) / len(ratios)
    near = sum(abs(each.ratio - truth) < each.standard_error for each in found if each is not None)
    assert 0.5 < truth < 0.8
    assert 20 <= near <= 34


def test_a_set_of_one_match_tells_nothing() -> None:
    assert variance_ratio(of_luck(1.0)[::2]) is None
    assert variance_ratio([]) is None


def test_one_set_tells_nothing() -> None:
    assert variance_ratio(of_luck(1.0)[:2]) is None


def test_what_is_not_rated_is_left_out() -> None:
    found = of_luck(1.0)
    forfeited = [pairing._replace(set_key="x", half_points=2, rated=False) for pairing in found]
    assert variance_ratio(found + forfeited) == variance_ratio(found)


def test_an_event_without_luck_in_its_deals_saves_nothing(make_event: MakeEvent, make_results: MakeResults) -> None:
    settings = make_event((("trio", 3), ("duel", 2)), terms="repetitions = 30")
    results = make_results(settings, dict.fromkeys("abcde", 0.0) | {"a": 200.0})
    savings = matches_saved(results)
    assert [saving.game for saving in savings] == ["duel", "trio"]
    assert sum(saving.matches for saving in savings) == len(results)
    assert savings == matches_saved(reversed(results))
    for saving in savings:
        assert saving.variance is not None
        assert abs(saving.variance.ratio - 1) < 3 * saving.variance.standard_error
        assert saving.matches_saved == round(saving.matches / saving.variance.ratio) - saving.matches


def test_where_it_cannot_be_told_nothing_is_saved(make_event: MakeEvent, make_results: MakeResults) -> None:
    (saving,) = matches_saved(make_results(make_event(entrants=3), dict.fromkeys("abc", 0.0)))
    assert (saving.variance, saving.matches_saved) == (None, 0)
