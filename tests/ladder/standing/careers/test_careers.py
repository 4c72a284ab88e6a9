"""Ratings of a standing ladder: what they say, and that they are a function of results in their order alone."""

import json
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordago_ladder.fit import ELO
from ordago_ladder.standing.careers import Assumptions, CareerResult, Careers, Player, StandingRatings

BEGAN = 1_700_000_000
WEEK = 7 * 24 * 60 * 60
ANCHORS = {"solid": 1600.0, "random": 1300.0}
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


def rated(
    players: Iterable[Player],
    results: Sequence[CareerResult],
    *,
    anchors: Mapping[str, float] = ANCHORS,
    assumptions: Assumptions | None = None,
) -> StandingRatings:
    careers = Careers(anchors=anchors, assumptions=assumptions)
    careers.enter(players)
    careers.add(results)
    return careers.ratings()


def elos(ratings: StandingRatings) -> dict[int, float]:
    return {rating.player: rating.elo for rating in ratings.overall.ratings}


STRENGTHS = {1: 1700.0, 2: 1550.0, 3: 1500.0, 4: 1350.0, 101: 1600.0, 102: 1300.0}
FIELD = [*bots(4), SOLID, RANDOM]


def test_known_strengths_are_recovered() -> None:
    found = rated(FIELD, played(STRENGTHS, matches=3000, seats=3))
    assert elos(found) == pytest.approx(STRENGTHS, abs=45)
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


@settings(max_examples=10, deadline=None)
@given(cuts=st.lists(st.integers(0, len(MIXED)), max_size=4), batch=st.integers(10, 30))
def test_ratings_are_the_same_however_results_come(cuts: list[int], batch: int) -> None:
    """Carried on in parts, with ratings asked for in between, they are those that are made from scratch."""
    assumptions = Assumptions(batch=batch)
    carried = Careers(anchors=ANCHORS, assumptions=assumptions)
    carried.enter(FIELD)
    for begin, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(MIXED)], strict=True):
        carried.add(MIXED[begin:end])
        carried.ratings()
    scratch = rated(FIELD, MIXED, assumptions=assumptions)
    assert json.dumps(carried.ratings().as_json()) == json.dumps(scratch.as_json())
