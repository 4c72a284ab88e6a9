"""The house plays Taihe A Bao legally, repeatably, and clearly better than chance."""

from random import Random

import pytest
from games.taihe.table import decisions_of_deal, exchanging, new_match, uniform

from ordago.cards import card_set, cards_in
from ordago.game import CHANCE, FINISHED
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import Phase, TaiheAction
from ordago_bot.house.taihe import choose

SETS = 16
"""Sets of matches of one deal: the same cards with the house in each seat."""


def by_the_house(state: TaiheState, rng: Random, *, worlds: int = 4) -> TaiheAction:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=worlds)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("worlds", [1, 3])
def test_every_choice_is_legal_and_equal_generators_choose_equally(seats: int, worlds: int) -> None:
    for seed in range(2):
        for state in decisions_of_deal(seed, seats=seats, temperament=exchanging)[::2]:
            choice = by_the_house(state, Random(seed), worlds=worlds)
            assert state.check(choice) is None
            assert by_the_house(state, Random(seed), worlds=worlds) == choice


def test_it_goes_out_when_it_can() -> None:
    state = next(state for state in reversed(decisions_of_deal(1, seats=4)) if state.phase is Phase.PLAYING)
    last = [legal for legal in state.legal_actions() if len(legal.action.cards) == len(cards_in(hand_of(state)))]
    assert [by_the_house(state, Random(1))] == [legal.action for legal in last]


def hand_of(state: TaiheState) -> int:
    return card_set(state.view(state.actor).hand)


def test_the_choice_rests_on_the_view_alone() -> None:
    """Hands of others that the seat cannot see make no difference."""
    for state in decisions_of_deal(2, seats=4)[5:15]:
        other = state.clone()
        first, second = [seat for seat in range(4) if seat != state.actor][:2]
        if len(cards_in(other.hands[first])) == len(cards_in(other.hands[second])):
            other.hands[first], other.hands[second] = other.hands[second], other.hands[first]
        assert by_the_house(other, Random(1)) == by_the_house(state, Random(1))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_gains_clearly_against_chance_in_all_seats(seats: int) -> None:
    """Chance gains nothing on average; the house gained 3 to 7 points a deal in long runs."""
    gained = sum(result_of_the_house(seed, seats=seats, seat=seat) for seed in range(SETS) for seat in range(seats))
    assert gained / (SETS * seats) > 1.5


def result_of_the_house(seed: int, *, seats: int, seat: int) -> int:
    """Play one deal, the first of a match, with the house in a seat and chance in the others."""
    rng = Random(seed)
    state = new_match(seats=seats, deals=1)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due = state.shuffle_due()
            order = list(due.cards)
            Random(f"{seed} {due.shuffle}").shuffle(order)
            state.supply(order)
        else:
            state.apply(by_the_house(state, rng, worlds=2) if state.actor == seat else uniform(state, rng))
    return state.totals[seat]
