"""The house plays Mus legally, repeatably, and clearly better than chance."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from games.mus.table import any_action, dealt, decisions, new_match, say

from ordago.game import CHANCE, FINISHED
from ordago.games.mus.state import MusState
from ordago.games.mus.values import ActionKind, MusAction, Signal
from ordago_bot.house.mus import choose

SETS = 60
"""Sets of two matches: the same deals with the house on each side."""

Player: TypeAlias = Callable[[MusState, Random], MusAction]


def by_the_house(state: MusState, rng: Random, *, worlds: int = 2) -> MusAction:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=worlds)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"kings": 4, "ruleset": "federation", "signals": "partner"}, {"target": 10}])
def test_every_choice_is_legal_and_equal_generators_choose_equally(options: dict[str, object]) -> None:
    for seed in range(4):
        for state in decisions(seed, max_mus=2, **options):
            choice = by_the_house(state, Random(seed))
            assert state.check(choice) is None
            assert by_the_house(state, Random(seed)) == choice


def test_the_choice_rests_on_the_view_alone() -> None:
    """Hands of others that the seat cannot see make no difference."""
    state = dealt("Ro Co 4o 5o", "Rc Cc 4c 6c", "7o 6e 5e Ae", "Ao 4b 5b So")
    other = dealt("Ro Co 4o 5o", "7o 6e 5e Ae", "Ao 4b 5b So", "Rc Cc 4c 6c")
    for one in (state, other):
        say(one, "no mus")
    assert by_the_house(other, Random(1)) == by_the_house(state, Random(1))


def test_a_very_good_hand_is_kept_and_a_poor_one_is_not() -> None:
    good = dealt("Ro Rc Re Ao", "Cc Sc 4c 6c", "7o 6e 5e Ae", "4b 5b So 7b")
    poor = dealt("Co 7o 5o 4o", "Cc Sc 4c 6c", "Ro 6e 5e Ae", "4b 5b So 7b")
    assert by_the_house(good, Random(1)).kind is ActionKind.NO_MUS
    assert by_the_house(poor, Random(1)).kind is ActionKind.MUS


def test_it_refuses_and_accepts_by_its_cards() -> None:
    """The lance is grande: four kings accept an órdago, and nothing but low cards refuse it."""
    strong = dealt("4o 5o 6o 7o", "Ro Rc Re 3o", "Ao 4c 5c 6c", "Co Cc Sc 7c")
    weak = dealt("Ro Rc 6o 7o", "4o 4b 5e Ab", "Ao 4c 5c 6c", "5o 5b 6e 7c")
    for state, kind in ((strong, ActionKind.QUIERO), (weak, ActionKind.NO_QUIERO)):
        say(state, "no mus", "órdago")
        assert by_the_house(state, Random(1), worlds=8).kind is kind


def test_it_gives_each_signal_once_and_none_of_a_hand_that_goes_away() -> None:
    state = dealt("Ro 3c 4o 5o", "Cc Sc 4c 6c", "7o 6e 5e Ae", "4b 5b So 7b")
    assert by_the_house(state, Random(1)).signal is Signal.TWO_KINGS
    say(state, "mus ~two kings", "mus", "mus", "mus")
    assert by_the_house(state, Random(1)).signal is None
    say(state, "discard 4o 5o", "discard 4c", "discard 7o", "discard 4b")
    assert by_the_house(state, Random(1)).signal in {extra.signal for extra in state.extras()}


def test_it_tells_opponents_nothing() -> None:
    state = dealt("Ro 3c 4o 5o", "Cc Sc 4c 6c", "7o 6e 5e Ae", "4b 5b So 7b", signals="open")
    assert by_the_house(state, Random(1)).signal is None


def test_it_cuts_the_mus_if_its_partner_asks_for_it() -> None:
    hands = ("Ro Rc Re Ao", "Cc Sc 4c 6c", "So Sb 5e Ae", "4b 5b 7o 7b")
    for said, kind in (("mus ~cut mus", ActionKind.NO_MUS), ("mus", ActionKind.MUS)):
        state = dealt(*hands)
        say(state, said, "mus")
        assert by_the_house(state, Random(1)).kind is kind


def test_it_trusts_its_partner_that_holds_the_best_hand() -> None:
    """The same cards refuse an órdago in grande unless the partner has signalled three kings."""
    hands = ("Ro Rc Re 4o", "Cc Sc 4c 6c", "Co 6e 5e Ae", "4b 5b So 7b")
    for signal, kind in (("~three kings", ActionKind.QUIERO), ("", ActionKind.NO_QUIERO)):
        state = dealt(*hands, more_signals=1)
        say(state, f"no mus {signal}", "paso", "órdago")
        assert (state.actor, by_the_house(state, Random(1), worlds=8).kind) == (2, kind)


@pytest.mark.slow
def test_it_wins_clearly_against_chance_on_both_sides() -> None:
    """The house won about four matches of five in long runs; chance would win half."""
    won = sum(house_wins(seed, side=side) for seed in range(SETS) for side in (0, 1))
    assert won / (2 * SETS) > 0.65


def house_wins(seed: int, *, side: int) -> bool:
    rng = Random(f"{seed} {side}")
    state = new_match()
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due = state.shuffle_due()
            order = list(due.cards)
            Random(f"{seed} {due.deal} {due.shuffle}").shuffle(order)
            state.supply(order)
        else:
            player: Player = by_the_house if state.actor % 2 == side else any_action
            state.apply(player(state, rng))
    assert state.outcome is not None
    return state.outcome.placings[side] == 1
