"""The learnt bargain of Mitigati is legal, repeatable, blind to hidden cards, and gains from ``solid`` and others."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from games.mitigati.table import any_action, in_bargain, mid_deal, new_match, say, shuffle

from ordago.game import CHANCE, FINISHED
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import PLAY, SEATS, MitigatiAction, Phase, statement_of
from ordago_bot.house import mitigati
from ordago_bot.house.mitigati_bargain import choose

Player: TypeAlias = Callable[[MitigatiState, Random], MitigatiAction]


def learnt(state: MitigatiState, rng: Random) -> MitigatiAction:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=1)


def solid(state: MitigatiState, rng: Random) -> MitigatiAction:
    return mitigati.choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=1)


def greedy(state: MitigatiState, rng: Random) -> MitigatiAction:
    """State the most that is legal, and play cards as ``solid`` does."""
    if state.phase is not Phase.BARGAIN:
        return solid(state, rng)
    amounts = state.legal_actions()[0].amount
    return statement_of(amounts.max) if amounts else PLAY


def gain(seed: int, *, seat: int, other: Player, **options: int) -> int:
    """Play a match with the learnt bargain in one seat; return the chips that it gains."""
    rng = Random(seed)
    state = new_match(**options)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, Random(f"{seed} {state.deal}"))
            continue
        action = (learnt if state.actor == seat else other)(state, rng)
        assert state.check(action) is None
        state.apply(action)
    return state.chips[seat]


@pytest.mark.parametrize("options", [{}, {"max_bid": 1}, {"max_bid": 5, "ranking": "piedmont"}, {"max_bid": 1000}])
def test_every_choice_is_legal_with_all_options(options: dict[str, int]) -> None:
    for other in (solid, any_action, learnt):
        gain(3, seat=1, other=other, **options)


def test_the_choice_rests_on_the_view_alone() -> None:
    """Hands of others and undealt cards, which the seat cannot see, make no difference."""
    for state in (in_bargain(), mid_deal(1, plays=9)):
        other = state.clone()
        first, second = (seat for seat in range(SEATS) if seat != state.actor)
        other.hands[first], other.hands[second] = other.hands[second], other.hands[first]
        other.stock = other.stock[::-1]
        assert learnt(other, Random(1)) == learnt(state, Random(1))


def test_it_waits_while_the_others_come_down_and_agrees_before_they_are_likely_to_give_up() -> None:
    """``solid`` makes thirteen statements. The two others pay one chip more each round."""
    for rounds, agrees in ((10, False), (13, True)):
        state = in_bargain()
        say(state, " ".join(f"{-paid} {-paid} {99 - paid}" for paid in range(rounds)).rsplit(" ", 1)[0])
        assert (learnt(state, Random(1)) == statement_of(2 * (rounds - 1))) is agrees


def test_asking_for_all_does_not_frighten_it() -> None:
    """A stake beyond all reason counts as fifty chips."""
    first, second = in_bargain(), in_bargain()
    say(first, "60")
    say(second, "100")
    assert learnt(first, Random(1)) == learnt(second, Random(1))


@pytest.mark.slow
@pytest.mark.parametrize("other", [solid, any_action])
def test_it_gains_from_solid_and_from_chance(other: Player) -> None:
    assert sum(gain(seed, seat=seat, other=other) for seed in range(8) for seat in range(SEATS)) > 0


@pytest.mark.slow
def test_those_who_never_come_down_enough_gain_nothing() -> None:
    """It then plays all deals, as equals do: chips differ by chance, here by 30 a match."""
    assert sum(gain(seed, seat=seat, other=greedy) for seed in range(4) for seat in range(SEATS)) > -12 * 30
