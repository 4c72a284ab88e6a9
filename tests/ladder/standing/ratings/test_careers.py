"""Ratings of a standing ladder: what they say, and that they are a function of results in their order alone."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordago_ladder.rating import rating as rating_of_events
from ordago_ladder.rating.dispersion import scatter_of
from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import Kind, Pairing
from ordago_ladder.rating.spreads import Spreads
from ordago_ladder.standing.ratings import Assumptions, CareerResult, Careers, Player, StandingRatings

WEEK = 7 * 24 * 60 * 60
BEGAN = 2_800 * WEEK
ANCHORS = {"solid": 1600.0, "random": 1300.0}
PRIOR = Spreads(strengths=350, seats=40, wide=350)
"""The spread of seat effects that a standing ladder assumes in every game; events fit it to their results."""
SOLID, RANDOM = Player(101, "solid", house=True), Player(102, "random", house=True)


def bots(count: int) -> list[Player]:
    return [Player(number, f"bot {number}") for number in range(1, count + 1)]


def played(
    strengths: Mapping[int, float],
    *,
    matches: int,
    game: str = "mitigati",
    seats: int = 2,
    seed: int = 0,
    began: int = BEGAN,
    apart: int = 600,
) -> list[CareerResult]:
    """Return matches of players with these strengths, in Elo, who meet by chance."""
    random = np.random.RandomState(seed)
    numbers = sorted(strengths)
    found = []
    for match in range(matches):
        table = [numbers[place] for place in random.choice(len(numbers), seats, replace=False)]
        performed = np.array([strengths[number] for number in table]) / ELO + random.gumbel(size=seats)
        placings = tuple((1 + (-performed).argsort().argsort()).tolist())
        found.append(CareerResult(game, tuple(table), placings, (), began + match * apart))
    return found


def carried(
    players: Iterable[Player],
    results: Sequence[CareerResult],
    *,
    anchors: Mapping[str, float] = ANCHORS,
    assumptions: Assumptions | None = None,
) -> Careers:
    careers = Careers(anchors=anchors, assumptions=assumptions)
    careers.enter(players)
    careers.add(results)
    return careers


def rated(
    players: Iterable[Player],
    results: Sequence[CareerResult],
    *,
    anchors: Mapping[str, float] = ANCHORS,
    assumptions: Assumptions | None = None,
) -> StandingRatings:
    return carried(players, results, anchors=anchors, assumptions=assumptions).ratings()


def elos(ratings: StandingRatings) -> dict[int, float]:
    return {rating.player: rating.elo for rating in ratings.overall.ratings}


def length_of(player: int, ratings: StandingRatings) -> float:
    return next(rating.half_length for rating in ratings.overall.ratings if rating.player == player)


STRENGTHS = {1: 1700.0, 2: 1550.0, 3: 1500.0, 4: 1350.0, 101: 1600.0, 102: 1300.0}
FIELD = [*bots(4), SOLID, RANDOM]


def test_known_strengths_are_recovered() -> None:
    found = rated(FIELD, played(STRENGTHS, matches=2000, seats=3))
    assert elos(found) == pytest.approx(STRENGTHS, abs=50)
    assert all(rating.low <= STRENGTHS[rating.player] <= rating.high for rating in found.overall.ratings)


def test_house_bots_of_known_rating_have_it_and_no_interval() -> None:
    found = {rating.player: rating for rating in rated(FIELD, played(STRENGTHS, matches=300)).overall.ratings}
    assert (found[101].elo, found[101].low, found[101].high) == (1600.0, 1600.0, 1600.0)
    assert found[1].low < found[1].elo < found[1].high


MIXED = sorted(
    [
        *played(STRENGTHS, matches=60, game="mitigati", seed=1, apart=WEEK // 40),
        *played(STRENGTHS, matches=60, game="taihe", seats=5, seed=2, apart=WEEK // 30),
        *played(STRENGTHS, matches=60, game="mus", seats=4, seed=3, apart=WEEK // 50),
    ],
    key=lambda result: result.ended,
)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(cuts=st.lists(st.integers(0, len(MIXED)), max_size=4), batch=st.integers(10, 30))
def test_ratings_are_the_same_however_results_come(cuts: list[int], batch: int) -> None:
    """Carried on in parts, with ratings asked for in between, they are those that are made from scratch."""
    assumptions = Assumptions(batch=batch)
    in_parts = carried(FIELD, [], assumptions=assumptions)
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(MIXED)], strict=True):
        in_parts.add(MIXED[begin:end])
        in_parts.ratings()
    scratch = rated(FIELD, MIXED, assumptions=assumptions)
    assert json.dumps(in_parts.ratings().as_json()) == json.dumps(scratch.as_json())


def test_a_new_version_begins_near_its_predecessor() -> None:
    """After one match it stands where the other stood, and is provisional."""
    versions = [*FIELD, Player(103, "bot 1", predecessor=1)]
    results = played(STRENGTHS, matches=1500, apart=300)
    after = rated(versions, [*results, CareerResult("mitigati", (103, 3), (1, 2), (), results[-1].ended)])
    old, new = (next(found for found in after.overall.ratings if found.player == number) for number in (1, 103))
    assert new.elo == pytest.approx(old.elo, abs=30)
    assert old.half_length < 60 < 100 < new.half_length < 250
    assert (old.current, new.current, old.provisional, new.provisional) == (False, True, False, True)


def first_interval(strengths: Mapping[int, float], *, matches: int) -> float:
    """Return half the interval of a newcomer after its first match, a week after those of others."""
    field = [*bots(41), SOLID, RANDOM]
    before = played({**strengths, 101: 1600.0, 102: 1300.0}, matches=matches)
    first = CareerResult("mitigati", (41, 101), (2, 1), (), BEGAN + WEEK)
    return length_of(41, rated(field, [*before, first]))


def test_a_newcomer_has_at_first_the_interval_of_glicko_at_most() -> None:
    assert 500 < first_interval({}, matches=0) <= 350 * 1.96


def test_newcomers_begin_as_widely_as_bots_were_found_to_be_spread() -> None:
    alike, apart = ({number: 1450 + 7 * (number % 5) * width for number in range(1, 41)} for width in (1, 40))
    near, far = (first_interval(strengths, matches=3000) for strengths in (alike, apart))
    assert near < 400 < 500 < far <= 800 * 1.96


def test_versions_that_never_played_are_passed_over() -> None:
    """The third version is as far from the first as two leaps reach."""
    versions = [*FIELD, Player(103, "bot 1", predecessor=1), Player(104, "bot 1", predecessor=103)]
    results = played(STRENGTHS, matches=1500, apart=300)
    lengths = {
        number: next(
            rating.half_length
            for rating in rated(
                versions, [*results, CareerResult("mitigati", (number, 3), (1, 2), (), results[-1].ended)]
            ).overall.ratings
            if rating.player == number
        )
        for number in (103, 104)
    }
    assert 1.1 * lengths[103] < lengths[104] < 1.5 * lengths[103]


def test_who_was_not_there_for_long_stays_where_he_was_and_is_known_less() -> None:
    """He is carried on apart from others, and comes back as he is."""
    early = played(STRENGTHS, matches=800)
    later = played({3: 1500.0, 4: 1350.0, 101: 1600.0}, matches=100, began=BEGAN + 30 * WEEK)
    back = CareerResult("mitigati", (1, 3), (1, 2), (), later[-1].ended)
    spans = [
        next(rating for rating in rated(FIELD, results).overall.ratings if rating.player == 1)
        for results in (early, [*early, *later], [*early, *later, back])
    ]
    assert [span.elo for span in spans] == pytest.approx([spans[0].elo] * 3, abs=20)
    assert spans[1].half_length > 1.5 * spans[0].half_length
    assert spans[1].half_length >= spans[2].half_length > spans[0].half_length


def test_no_more_are_carried_on_together_than_there_is_room_for() -> None:
    """Those set apart stay where they are."""
    results = [*played(STRENGTHS, matches=600), *played(STRENGTHS, matches=1, began=BEGAN + WEEK)]
    few, all_of_them = (carried(FIELD, results, assumptions=Assumptions(together=most)) for most in (2, 100))
    assert elos(few.ratings()) == pytest.approx(elos(all_of_them.ratings()), abs=15)
    seats = 2
    assert [len(careers._overall._history._begun.mean) - seats for careers in (few, all_of_them)] == [2, 6]


def test_everybody_is_known_less_when_nobody_has_played_for_long() -> None:
    results = played(STRENGTHS, matches=800)
    last = results[-1]
    lengths = [
        length_of(1, rated(FIELD, [*results, last._replace(ended=last.ended + weeks * WEEK)])) for weeks in (1, 9)
    ]
    assert lengths[1] > 1.65 * lengths[0]


def test_a_clock_set_back_only_makes_the_open_slice_longer() -> None:
    """Nobody is lost, and what was in the open slice is as it was."""
    results = played(STRENGTHS, matches=600)
    back = [*results[:300], *(result._replace(ended=result.ended - 400 * WEEK) for result in results[300:])]
    assert rated(FIELD, back).overall.ratings == rated(FIELD, results).overall.ratings


def test_a_clock_set_forward_makes_nobody_unknown() -> None:
    """After centuries everybody is known as after a year."""
    results = played(STRENGTHS, matches=600)
    year, centuries = (
        rated(FIELD, [*results[:500], *(one._replace(ended=one.ended + weeks * WEEK) for one in results[500:])])
        for weeks in (52, 20_000)
    )
    assert year.overall.ratings == centuries.overall.ratings
    assert elos(year) == pytest.approx(elos(rated(FIELD, results)), abs=60)


def test_each_slice_has_meetings_of_two_that_count() -> None:
    """Two who meet nobody else learn nothing of each other after thirty matches, but in the next slice they do."""
    first = played({1: 1500.0, 2: 1500.0}, matches=60, apart=60)
    second = played({1: 1500.0, 2: 1500.0}, matches=60, apart=60, began=BEGAN + WEEK)
    lengths = [
        length_of(1, rated(FIELD, results, anchors={}))
        for results in (first[:30], first, [*first, *second[:1]], [*first, *second])
    ]
    assert lengths[0] == lengths[1]
    assert lengths[3] < 0.8 * lengths[2]


def test_a_match_that_all_forfeited_counts_as_played_and_says_nothing() -> None:
    results = played(STRENGTHS, matches=100)
    nothing = CareerResult("mitigati", (1, 2), (1, 1), (0, 1), results[-1].ended)
    before, after = rated(FIELD, results), rated(FIELD, [*results, nothing])
    assert elos(before) == elos(after)
    assert after.results == before.results + 1
    assert rated(FIELD, [nothing]).overall.ratings == ()


def test_partners_share_the_strength_of_their_side() -> None:
    """Two bots always play together in Mus: nothing tells one from the other, and both are above those they beat."""
    results = [CareerResult("mus", (1, 3, 2, 4), (1, 2, 1, 2), (), BEGAN + match) for match in range(20)]
    found = elos(rated(bots(4), results, anchors={}))
    assert found[1] == found[2] > 1600 > 1400 > found[3] == found[4]


def test_without_anchors_the_mean_by_information_is_the_measure() -> None:
    strengths = {number: elo for number, elo in STRENGTHS.items() if number <= 4}
    found = rated(bots(4), played(strengths, matches=2000), anchors={})
    assert np.mean(list(elos(found).values())) == pytest.approx(1500, abs=15)
    assert all(rating.half_length < 70 for rating in found.overall.ratings)


def test_each_game_has_ratings_of_its_own_and_courses() -> None:
    found = rated(FIELD, MIXED)
    assert [game for game, _ in found.games] == ["mitigati", "mus", "taihe"]
    moments = dict(found.of("taihe").courses)[1]
    assert [moment.matches for moment in moments] == sorted({moment.matches for moment in moments})
    played_in = {result.ended // WEEK for result in MIXED if result.game == "taihe" and 1 in result.players}
    assert {end * WEEK + WEEK for end in sorted(played_in)[:-1]} <= {moment.ended for moment in moments}
    last = next(rating for rating in found.of("taihe").ratings if rating.player == 1)
    assert (moments[-1].elo, moments[-1].matches) == (last.elo, last.matches)
    assert found.of("mittlere").ratings == ()


def test_a_newcomer_has_a_course_on_its_first_day_and_a_veteran_one_by_slices() -> None:
    results = played(STRENGTHS, matches=1500, apart=300)
    [course] = [course for player, course in rated(FIELD, results).overall.courses if player == 1]
    matches = [moment.matches for moment in course]
    assert results[-1].ended // WEEK == results[0].ended // WEEK
    assert matches[0] <= 16
    assert all(after >= 1.25 * before for before, after in pairwise(matches[:-1]))
    assert 10 < len(matches) < 30
    later = [result._replace(ended=result.ended + WEEK) for result in results[:100]]
    [veteran] = [course for player, course in rated(FIELD, [*results, *later]).overall.courses if player == 1]
    assert len(veteran) == len(course) + 1


def test_what_comes_later_does_not_change_what_was_told() -> None:
    before = dict(rated(FIELD, MIXED[:100]).overall.courses)
    after = dict(rated(FIELD, MIXED).overall.courses)
    assert all(after[player][: len(course) - 1] == course[:-1] for player, course in before.items())


@pytest.mark.parametrize("anchors", [ANCHORS, {}], ids=["anchors", "no anchors"])
def test_one_slice_is_rated_as_an_event_is(anchors: Mapping[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same results and the same prior, by the fit of events: intervals alone differ, by what sets say there.

    Events fit the dispersion of results; standing ladders take that of tables of two to be 1.
    """
    monkeypatch.setattr(rating_of_events, "scatter_of", lambda evidence: scatter_of(evidence)._replace(dispersion=1.0))
    results = played(STRENGTHS, matches=400)
    pairings = [
        Pairing(Kind("mitigati", (str(first),), (str(second),), 0, 1), str(number), 2 * (place == 1), rated=True)
        for number, (_, (first, second), (place, _), *_) in enumerate(results)
    ]
    names = {player.name: str(player.player) for player in FIELD}
    known = {names[name]: elo for name, elo in anchors.items()}
    event = rate(pairings, entrants=map(str, STRENGTHS), anchors=known, spreads=PRIOR)
    found = rated(FIELD, results, anchors=anchors, assumptions=Assumptions(batch=1000))
    assert elos(found) == pytest.approx({int(rating.entrant): rating.elo for rating in event.ratings}, abs=0.1)
    lengths = {int(rating.entrant): rating.half_length for rating in event.ratings}
    for rating in found.overall.ratings:
        assert rating.half_length == pytest.approx(lengths[rating.player], rel=0.2, abs=0.1)


def test_a_slice_in_batches_is_rated_nearly_as_at_once() -> None:
    results = played(STRENGTHS, matches=500)
    at_once, in_batches = (rated(FIELD, results, assumptions=Assumptions(batch=batch)) for batch in (1000, 40))
    assert elos(in_batches) == pytest.approx(elos(at_once), abs=10)
