"""What may be played, against the rules written a second time, card by card and in another way."""

from collections.abc import Sequence
from random import Random

from games.mittlere.table import at_table, new_match, step
from games.properties import repeatably
from hypothesis import given
from hypothesis import strategies as st

from ordago.cards import card_set, cards_in, french_rank, french_suit, holds
from ordago.game import CHANCE, FINISHED
from ordago.games.mittlere.following import legal_cards, ruled_out
from ordago.games.mittlere.pack import BEATEN_BY, NO_TRUMP, PACK, SUIT_CARDS, SUIT_OF
from ordago.games.mittlere.values import PLAY

TRUMPS_HIGH_TO_LOW = [11, 9, 1, 14, 13, 10, 8, 7, 6]


def may_play(card: int, hand: Sequence[int], trick: Sequence[int], trump: int | None) -> bool:
    """Say whether a card may be played, by the words of the rule page."""
    if card not in hand:
        return False
    if not trick:
        return True
    led = french_suit(trick[0])
    can_follow = any(french_suit(other) == led for other in hand)
    if trump is None:
        return french_suit(card) == led or not can_follow
    trumps = [other for other in hand if french_suit(other) == trump]
    if led == trump:
        return not [other for other in trumps if french_rank(other) != 11] or card in trumps
    if can_follow and french_suit(card) not in (led, trump):
        return False
    if card not in trumps or not is_lower_trump(card, trick, trump):
        return True
    return all(other in trumps and is_lower_trump(other, trick, trump) for other in hand)


def is_lower_trump(card: int, trick: Sequence[int], trump: int) -> bool:
    """Say whether a trump lies in the trick that is higher than this one."""
    in_trick = [french_rank(other) for other in trick if french_suit(other) == trump]
    return any(TRUMPS_HIGH_TO_LOW.index(rank) < TRUMPS_HIGH_TO_LOW.index(french_rank(card)) for rank in in_trick)


def test_legal_actions_and_refusals_agree_with_the_rules_written_anew() -> None:
    rng = Random(1)
    state = new_match(deals=30)
    while state.actor != FINISHED:
        if state.actor != CHANCE:
            view = state.view(state.actor)
            trump = SUIT_OF[view.trump.card] if view.trump else None
            expected = [card for card in PACK if may_play(card, view.hand, view.trick, trump)]
            assert [legal.action.card for legal in state.legal_actions()] == expected
            assert [card for card in PACK if state.check(PLAY[card]) is None] == expected
        step(state, rng)


hands = st.sets(st.sampled_from(PACK), min_size=1, max_size=12)
tables = st.lists(st.sampled_from(PACK), max_size=2, unique=True)
trump_suits = st.sampled_from([0, 1, 2, 3])


@repeatably
@given(hand=hands, trick=tables, trump=trump_suits)
def test_any_hand_agrees_with_the_rules_written_anew(hand: set[int], trick: list[int], trump: int) -> None:
    """Random play seldom meets a hand of nothing but trumps; this does."""
    state = at_table(hand=hand, trick=trick, trump=trump)
    expected = [card for card in sorted(hand) if may_play(card, sorted(hand), trick, trump)]
    assert cards_in(state.legal_cards()) == expected


@repeatably
@given(hand=hands, trick=st.lists(st.sampled_from(PACK), min_size=1, max_size=2), trump=st.sampled_from(range(5)))
def test_a_card_is_legal_if_the_hand_holds_nothing_that_it_rules_out(
    hand: set[int], trick: list[int], trump: int
) -> None:
    """``ruled_out`` is ``legal_cards`` turned round, which is what makes the drawing of deals exact."""
    led, best = SUIT_CARDS[SUIT_OF[trick[0]]], trick[0]
    if holds(BEATEN_BY[trump][trick[-1]], best) and (trump != NO_TRUMP or SUIT_OF[trick[-1]] == SUIT_OF[best]):
        best = trick[-1]
    mask = card_set(hand)
    fitting = [card for card in sorted(hand) if not mask & ruled_out(card, led=led, best=best, trump=trump)]
    assert cards_in(legal_cards(mask, led=led, best=best, trump=trump)) == fitting


@repeatably
@given(hand=hands, trick=tables, trump=trump_suits)
def test_there_is_always_something_to_play_and_the_default_choice_is_legal(
    hand: set[int], trick: list[int], trump: int
) -> None:
    state = at_table(hand=hand, trick=trick, trump=trump)
    assert state.legal_actions()
    assert state.check(state.default_action()) is None
