import itertools
import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from ordago.store import MatchResult
from ordago_ladder.fit import evidence_of
from ordago_ladder.rating import Ratings, rate
from ordago_ladder.results import Pairing, pairings
from ordago_ladder.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list[MatchResult]]

STRENGTHS = {"a": 1700.0, "b": 1600.0, "c": 1500.0, "d": 1400.0, "e": 1300.0}


def rated(results: list[MatchResult], *, entrants: str = "abcde", resamplings: int = 200) -> Ratings:
    return rate(pairings(results), entrants=entrants, resamplings=resamplings)


def elos(ratings: Ratings) -> dict[str, float]:
    return {rating.entrant: rating.elo for rating in ratings.ratings}


def duels(*outcomes: tuple[str, str, int], sets: int = 10) -> list[Pairing]:
    """Return sets of these pairings, each once on either side."""
    return [
        pairing
        for number in range(sets)
        for first, second, half_points in outcomes
        for pairing in (
            Pairing("duel", f"{number}", first, second, 0, 1, half_points, rated=True),
            Pairing("duel", f"{number}", second, first, 0, 1, 2 - half_points, rated=True),
        )
    ]


def test_known_strengths_are_recovered(make_event: MakeEvent, make_results: MakeResults) -> None:
    event = make_event([("trio", 3)], terms="repetitions = 60")
    found = rated(make_results(event, STRENGTHS))
    assert elos(found) == pytest.approx(STRENGTHS, abs=25)
    assert [rating.entrant for rating in found.ratings] == list("abcde")


def test_known_seat_effects_are_recovered(make_event: MakeEvent, make_results: MakeResults) -> None:
    event = make_event([("trio", 3)], terms="repetitions = 60")
    found = rated(make_results(event, STRENGTHS, seats={0: 60, 1: 0, 2: -60}))
    assert [effect.elo for effect in found.seat_effects] == pytest.approx([60, 0, -60], abs=20)
    assert sum(effect.elo for effect in found.seat_effects) == pytest.approx(0, abs=1e-9)


def test_two_entrants_are_rated_as_the_formula_of_elo_says() -> None:
    """Three wins of four are 191 points, nearly: the prior draws them together a little."""
    outcomes = [("a", "b", 2), ("a", "b", 2), ("a", "b", 2), ("a", "b", 0)]
    found = elos(rate(duels(*outcomes, sets=100), entrants="ab", resamplings=100))
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(3), abs=0.5)
    assert found["a"] + found["b"] == pytest.approx(3000)


def test_a_tie_is_half_a_win_and_half_a_loss() -> None:
    tied = elos(rate(duels(("a", "b", 1), ("a", "b", 1)), entrants="ab", resamplings=100))
    shared = elos(rate(duels(("a", "b", 2), ("a", "b", 0)), entrants="ab", resamplings=100))
    assert tied == shared == {"a": 1500, "b": 1500}


def test_the_mean_is_the_anchor(make_event: MakeEvent, make_results: MakeResults) -> None:
    event = make_event([("crowd", 4), ("pairs", 4)], terms="repetitions = 3")
    found = elos(rated(make_results(event, STRENGTHS)))
    assert np.mean(list(found.values())) == pytest.approx(1500, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_results_does_not_matter_to_the_last_bit(
    make_event: MakeEvent, make_results: MakeResults, seed: int
) -> None:
    event = make_event([("trio", 3), ("pairs", 4)], terms="repetitions = 2")
    results = make_results(event, STRENGTHS)
    shuffled = Random(seed).sample(results, len(results))
    assert rated(shuffled) == rated(results)
    assert rated(shuffled, entrants="edcba") == rated(results)


def test_who_wins_everything_has_a_finite_rating_with_an_open_minded_interval() -> None:
    found = rate(duels(("a", "b", 2), ("b", "c", 2), ("b", "c", 0)), entrants="abc", resamplings=200)
    best = found.ratings[0]
    assert best.entrant == "a"
    assert 1700 < best.elo < 3000
    assert best.high - best.low > 300
    assert found.connectivity.tiers == (("a",), ("b", "c"))


def test_more_wins_in_a_row_say_more() -> None:
    few, many = (rate(duels(("a", "b", 2), sets=sets), entrants="ab", resamplings=100) for sets in (10, 100))
    assert few.ratings[0].elo < many.ratings[0].elo


def test_one_set_alone_has_a_long_interval() -> None:
    """Drawing one set anew always gives the same set, which must not look like certainty."""
    found = rate(duels(("a", "b", 2), ("a", "b", 0), sets=1), entrants="ab", resamplings=100)
    assert found.ratings[0].high - found.ratings[0].low > 200


def test_nothing_played_is_nothing_known() -> None:
    found = rate([], entrants="ab", resamplings=100)
    assert elos(found) == {"a": 1500, "b": 1500}
    assert found.ratings[0].high - found.ratings[0].low > 1500
    assert found.ratings[0].above_next == 0.5
    assert found.ratings[1].above_next is None


def test_intervals_hold_the_truth_as_often_as_they_say(make_event: MakeEvent, make_results: MakeResults) -> None:
    """Of 300 intervals of 95 % about 285 hold the truth; 270 and 297 are more than three deviations off."""
    event = make_event([("trio", 3)], terms="repetitions = 4")
    held = 0
    for seed in range(60):
        for rating in rated(make_results(event, STRENGTHS, seed=seed), resamplings=150).ratings:
            held += rating.low <= STRENGTHS[rating.entrant] <= rating.high
    assert 270 <= held <= 297


def test_what_the_matches_of_a_set_share_is_not_counted_twice() -> None:
    """The same results, in sets that all say the same or each for itself: the first are worth fewer matches."""
    rng = Random(5)
    outcomes = [rng.choice((0, 2)) for _ in range(40)]
    shared = [
        Pairing("duel", str(number), "a", "b", 0, 1, outcome, rated=True)
        for number, outcome in enumerate(outcomes)
        for _ in range(6)
    ]
    apart = [pairing._replace(set_key=f"{number}") for number, pairing in enumerate(shared)]
    lengths = [rate(found, entrants="ab", resamplings=400).ratings[0].half_length for found in (shared, apart)]
    assert lengths[0] / lengths[1] == pytest.approx(math.sqrt(6), rel=0.15)


def test_likelihood_of_being_above_the_next() -> None:
    clear = rate(duels(*[("a", "b", 2)] * 5, ("a", "b", 0), sets=20), entrants="ab", resamplings=200)
    even = rate(duels(("a", "b", 2), ("a", "b", 0), sets=20), entrants="ab", resamplings=200)
    assert clear.ratings[0].above_next == 1
    assert even.ratings[0].above_next == 0.5


def test_groups_that_never_met_are_reported() -> None:
    found = rate(duels(("a", "c", 2), ("b", "d", 1)), entrants="abcde", resamplings=100)
    assert found.connectivity.groups == (("a", "c"), ("b", "d"), ("e",))


def test_meeting_through_others_connects() -> None:
    found = rate(duels(("a", "b", 1), ("b", "c", 1), ("c", "d", 2)), entrants="abcd", resamplings=100)
    assert found.connectivity.groups == (("a", "b", "c", "d"),)
    assert found.connectivity.tiers == (("a", "b", "c"), ("d",))


def test_what_is_not_rated_does_not_rate() -> None:
    forfeited = [pairing._replace(rated=False) for pairing in duels(("a", "b", 2))]
    assert elos(rate(forfeited, entrants="ab", resamplings=100)) == {"a": 1500, "b": 1500}
    assert evidence_of(forfeited, entrants="ab").set_keys == ()


def test_twenty_entrants_that_beat_one_another_in_a_row_are_fitted() -> None:
    """The hardest case for Newton's method: everybody beats all who come after him, always."""
    names = [f"n{number:02}" for number in range(20)]
    outcomes = [(first, second, 2) for first, second in itertools.combinations(names, 2)]
    found = rate(duels(*outcomes, sets=9), entrants=names, resamplings=100)
    assert [rating.entrant for rating in found.ratings] == names
    assert all(math.isfinite(rating.elo) for rating in found.ratings)
