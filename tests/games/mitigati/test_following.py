"""What a seat may choose from while it plays a hand, held against the sets of cards that the rules are written in."""

import copy
from collections.abc import Callable
from random import Random

import pytest
from support.copies import pickled

from ordago.cards import card_set, cards_in
from ordago.games.mitigati.following import Choices, legal_cards
from ordago.games.mitigati.pack import CHEAPEST_FIRST, NO_SUIT, PACK, SUIT_CARDS

_SUITS = (NO_SUIT, *range(len(SUIT_CARDS)))


def _led(suit: int) -> int:
    return 0 if suit == NO_SUIT else SUIT_CARDS[suit]


@pytest.mark.parametrize("piedmont", [False, True])
def test_the_cheapest_card_is_the_first_legal_one_in_their_order(*, piedmont: bool) -> None:
    rng = Random(7)
    some = [card_set(rng.sample(PACK, rng.randint(1, 25))) for _ in range(300)]
    for hand in (*(1 << card for card in PACK), *some):
        for suit in _SUITS:
            legal = legal_cards(hand, led=_led(suit))
            expected = next(card for card in CHEAPEST_FIRST[piedmont] if legal >> card & 1)
            assert Choices(hand).cheapest(suit, piedmont=piedmont).card == expected


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copy_goes_on_like_what_it_is_of(copied: Callable[[Choices], Choices]) -> None:
    cards = Random(13).sample(PACK, 25)
    choices = Choices(card_set(cards))
    twin = copied(choices)
    for card in cards[:-1]:
        twin.play(card)
    assert twin.cards() == (cards[-1],)
    assert choices.cards() == tuple(cards_in(card_set(cards)))


def test_a_hand_that_is_played_out_is_what_is_left_of_it_card_by_card() -> None:
    rng = Random(11)
    for _ in range(50):
        cards = rng.sample(PACK, 25)
        hand, choices = card_set(cards), Choices(card_set(cards))
        for card in cards:
            assert choices.cards() == tuple(cards_in(hand))
            for suit in _SUITS:
                legal = [action.card for action, _, _ in choices.legal(suit)]
                assert legal == cards_in(legal_cards(hand, led=_led(suit)))
            choices.play(card)
            hand ^= 1 << card
        assert choices.cards() == ()
