"""The house plays Mitaines legally, repeatably, and clearly better than chance."""

from random import Random
from statistics import mean, stdev

import pytest
from games.mitaines.table import action_of, at_table, cards, mid_deal, new_match, shuffle

from ordago.cards import count
from ordago.game import FINISHED
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import PlayCard
from ordago_bot.house.mitaines import choose

SETS = 30
"""Sets of deals: the same deal with the house on each side."""


def by_the_house(state: MitainesState, rng: Random, *, worlds: int = 4) -> PlayCard:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=worlds)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("plays", range(0, 48, 3))
def test_every_choice_is_legal_and_equal_generators_choose_equally(plays: int, seats: int) -> None:
    state = mid_deal(plays, plays=plays, seats=seats)
    choice = by_the_house(state, Random(1))
    assert state.check(choice) is None
    assert by_the_house(state, Random(1)) == choice


def test_a_forced_card_needs_no_thought() -> None:
    state = mid_deal(1, plays=47, seats=2)
    rng = Random(1)
    before = rng.getstate()
    assert by_the_house(state, rng) == state.legal_actions()[0].action
    assert rng.getstate() == before


def test_the_choice_rests_on_the_view_alone() -> None:
    """Cards that the seat cannot see make no difference."""
    state = mid_deal(1, plays=10, seats=4, eager=False)
    other = state.clone()
    first, second = (seat for seat in range(4) if count(state.hands[seat]) == 3)
    assert state.actor not in (first, second)
    other.hands[first], other.hands[second] = other.hands[second], other.hands[first]
    other.stock = other.stock[::-1]
    assert by_the_house(other, Random(1)) == by_the_house(state, Random(1))


def test_it_declares_a_sock_that_nobody_can_steal() -> None:
    hands = [cards("J♣ J♦ J♥ J♠ 2♣ 3♣"), cards("4♣ 5♣ 6♣ 7♣ 8♣ 9♣")]
    choice = by_the_house(at_table(hands, pile=cards("K♠")), Random(1))
    assert choice.combination.name == "SOCK"


def test_it_takes_the_ten_of_diamonds() -> None:
    state = at_table([cards("9♣ 3♥ 2♣"), cards("9♦ K♦ 4♣")], pile=cards("10♦ 9♥"))
    assert by_the_house(state, Random(1)) == action_of("9♣")


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_gains_clearly_against_chance(seats: int) -> None:
    """Its mean lead over chance in a set, less two and a half standard errors, is above 20; in long runs it was 100."""
    leads = [
        mean(lead(seed, seats=seats, place=place) for place in range(2 if seats != 3 else 3)) for seed in range(SETS)
    ]
    assert mean(leads) - 2.5 * stdev(leads) / SETS**0.5 > 20


def lead(seed: int, *, seats: int, place: int) -> float:
    """Play one deal with the house on one side and chance on the others, and return the lead of the house."""
    sides = 3 if seats == 3 else 2
    rng = Random(seed)
    state = new_match(seats=seats, max_deals=1)
    shuffle(state, Random(seed))
    while state.actor != FINISHED:
        house = state.actor % sides == place
        state.apply(by_the_house(state, rng) if house else rng.choice(state.legal_actions()).action)
    others = [state.totals[side] for side in range(sides) if side != place]
    return state.totals[place] - mean(others)
