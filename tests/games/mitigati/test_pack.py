"""The tables of the pack of Mitigati, held against what they are made of."""

from random import Random

from ordago.cards import card_set, cards_in
from ordago.games.mitigati.pack import PACK, cards_of, set_of


def test_the_cards_of_a_set_are_those_that_are_found_one_by_one_and_make_it_again() -> None:
    rng = Random(7)
    some = [card_set(rng.sample(PACK, rng.randint(1, 28))) for _ in range(300)]
    for hand in (*(1 << card for card in PACK), *some):
        assert cards_of(hand) == cards_in(hand)
        assert set_of(tuple(cards_in(hand))) == hand
