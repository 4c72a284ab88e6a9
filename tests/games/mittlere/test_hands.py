"""A set that is looked up a suit at a time is the same as one that is taken apart card by card."""

from hypothesis import given
from hypothesis import strategies as st

from ordago.cards import card_set, cards_in
from ordago.game import LegalAction
from ordago.games.mittlere.pack import HAND_CARDS, PACK
from ordago.games.mittlere.values import LEGAL_ACTIONS, PLAY


@given(st.sets(st.sampled_from(PACK)))
def test_any_set(cards: set[int]) -> None:
    assert HAND_CARDS[card_set(cards)] == tuple(cards_in(card_set(cards))) == tuple(sorted(cards))
    assert list(LEGAL_ACTIONS[card_set(cards)]) == [LegalAction(PLAY[card]) for card in sorted(cards)]


def test_the_whole_pack_and_nothing() -> None:
    assert HAND_CARDS[card_set(PACK)] == PACK
    assert HAND_CARDS[0] == ()
