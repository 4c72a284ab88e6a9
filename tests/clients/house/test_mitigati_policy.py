"""The house plays Mitigati legally, repeatably, and clearly better than chance."""

from random import Random

import pytest
from games.mitigati.table import any_action, dealt, in_bargain, mid_deal, new_match, say, shuffle

from ordago import v1
from ordago.cards import cards_in
from ordago.game import CHANCE, FINISHED
from ordago.games.mitigati import GAME
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import PLAY, SEATS, MitigatiAction, statement_of
from ordago.match.answers import Offer, judge
from ordago_bot.bot import complete
from ordago_bot.house.mitigati import choose

SETS = 12
"""Sets of three matches: the same deals with the house in each seat."""


def by_the_house(state: MitigatiState, rng: Random, *, worlds: int = 4) -> MitigatiAction:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=worlds)


def play_match(seed: int, *, houses: set[int], worlds: int = 1, **options: int) -> MitigatiState:
    """Play a match with the house in these seats and chance in the others; every choice must be legal."""
    rng = Random(seed)
    state = new_match(**options)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, Random(f"{seed} {state.deal}"))
            continue
        action = by_the_house(state, rng, worlds=worlds) if state.actor in houses else any_action(state, rng)
        assert state.check(action) is None
        state.apply(action)
    return state


@pytest.mark.parametrize("options", [{}, {"max_bid": 1}, {"max_bid": 5, "ranking": "piedmont"}, {"max_bid": 1000}])
def test_every_choice_is_legal_with_all_options(options: dict[str, int]) -> None:
    for houses in ({0, 1, 2}, {0, 2}):
        assert play_match(3, houses=houses, **options).outcome is not None


@pytest.mark.parametrize("plays", range(0, 75, 7))
def test_equal_generators_choose_equally(plays: int) -> None:
    state = mid_deal(2, plays=plays)
    assert by_the_house(state, Random(5)) == by_the_house(state, Random(5))


def test_a_forced_card_needs_no_thought() -> None:
    state = mid_deal(1, plays=74)
    rng = Random(1)
    before = rng.getstate()
    assert by_the_house(state, rng) == state.legal_actions()[0].action
    assert rng.getstate() == before


def test_the_choice_rests_on_the_view_alone() -> None:
    """Hands of others that the seat cannot see make no difference."""
    state = mid_deal(1, plays=9)
    other = state.clone()
    first, second = (seat for seat in range(SEATS) if seat != state.actor)
    other.hands[first], other.hands[second] = other.hands[second], other.hands[first]
    assert by_the_house(other, Random(1)) == by_the_house(state, Random(1))


def test_it_takes_what_the_others_leave_it() -> None:
    state = in_bargain()
    say(state, "-90 -5")
    assert by_the_house(state, Random(1)) == statement_of(95)


def test_it_comes_down_a_little_and_then_says_play_when_the_others_ask_too_much() -> None:
    state = in_bargain()
    stated = []
    for amount in range(100, 0, -1):
        say(state, f"{amount} {amount}")
        action = by_the_house(state, Random(1))
        if action == PLAY:
            break
        stated.append(action.amount)
        state.apply(action)
    assert stated == list(range(stated[0], stated[0] - len(stated), -1))
    assert 0 < len(stated) < 20
    assert action == PLAY


def test_as_the_dealer_it_keeps_trumps() -> None:
    state = dealt("", "", "Q♣ 3♣ A♦ II III IV V VI VII VIII IX X")
    discard = by_the_house(state, Random(1))
    assert all(card <= 56 for card in discard.cards)
    assert set(discard.cards) <= set(cards_in(state.hands[2]))


def test_a_bot_that_knows_no_game_always_answers_legally() -> None:
    """Whatever is put into the open parts of a decision, the whole is legal."""
    rng = Random(4)
    state = new_match(rounds=8)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        offer = Offer(state.legal_actions(), state.extras())
        answer = complete(legal_action_message(rng.choice(range(len(offer.legal_actions))), offer), rng)
        verdict = judge(answer.SerializeToString(), game=GAME, state=state, offer=offer)
        assert verdict.violation is None
        assert isinstance(verdict.action, MitigatiAction)
        state.apply(verdict.action)


def legal_action_message(index: int, offer: Offer) -> v1.LegalAction:
    legal = offer.legal_actions[index]
    message = v1.LegalAction(id=index + 1, action=GAME.codec.action(legal.action))
    if legal.amount:
        message.amount.min, message.amount.max = legal.amount
    for pick in legal.picks:
        message.picks.add(cards=pick.cards, min=pick.min, max=pick.max)
    return message


@pytest.mark.slow
def test_it_gains_clearly_against_chance_in_all_seats() -> None:
    """Chance gains nothing on average; the house gained over fifty chips a match in long runs."""
    gained = sum(play_match(seed, houses={seat}).chips[seat] for seed in range(SETS) for seat in range(SEATS))
    assert gained / (SETS * SEATS) > 25
