"""The house plays Mittlere Jass legally, repeatably, and clearly better than chance."""

from random import Random

import pytest
from games.mittlere.table import mid_deal, new_match, shuffle

from ordago.game import CHANCE, FINISHED
from ordago.games.mittlere.rules import MittlereState
from ordago.games.mittlere.values import SEATS, PlayCard
from ordago_bot.house.mittlere import choose

SETS = 40
"""Sets of three matches: the same deals with the house in each seat."""


def by_the_house(state: MittlereState, rng: Random, *, worlds: int = 4) -> PlayCard:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=worlds)


@pytest.mark.parametrize("plays", range(36))
def test_every_choice_is_legal_and_equal_generators_choose_equally(plays: int) -> None:
    for seed in range(4):
        state = mid_deal(seed, plays=plays)
        choice = by_the_house(state, Random(seed))
        assert state.check(choice) is None
        assert by_the_house(state, Random(seed)) == choice


def test_a_forced_card_needs_no_thought() -> None:
    state = mid_deal(1, plays=35)
    rng = Random(1)
    before = rng.getstate()
    assert by_the_house(state, rng) == state.legal_actions()[0].action
    assert rng.getstate() == before


def test_the_choice_rests_on_the_view_alone() -> None:
    """Hands of others that the seat cannot see make no difference."""
    state = mid_deal(1, plays=10)
    other = state.clone()
    first, second = (seat for seat in range(SEATS) if seat != state.actor)
    other.hands[first], other.hands[second] = other.hands[second], other.hands[first]
    assert by_the_house(other, Random(1)) == by_the_house(state, Random(1))


@pytest.mark.slow
def test_it_gains_clearly_against_chance_in_all_seats() -> None:
    """Chance gains nothing on average; the house gained about half a point a deal in long runs."""
    gained = sum(result_of_the_house(seed, seat=seat) for seed in range(SETS) for seat in range(SEATS))
    assert gained / (SETS * SEATS) > 0.3


def result_of_the_house(seed: int, *, seat: int) -> int:
    """Play one deal, the first of a match, with the house in a seat and chance in the others."""
    cards, rng = Random(seed), Random(seed)
    state = new_match()
    shuffle(state, cards)
    while state.actor not in (CHANCE, FINISHED):
        house = state.actor == seat
        state.apply(by_the_house(state, rng) if house else rng.choice(state.legal_actions()).action)
    return state.totals[seat]
