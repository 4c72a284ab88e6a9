"""The tables of the pack of Mitigati, held against what they are made of."""

from random import Random

import pytest

from ordago.cards import card_set, cards_in
from ordago.games.mitigati.pack import CHEAPEST_FIRST, PACK, cards_of, cheapest_of


@pytest.mark.parametrize("round_suits", [False, True])
def test_the_cheapest_card_of_a_set_is_the_first_of_all_in_their_order(*, round_suits: bool) -> None:
    rng = Random(7)
    some = [card_set(rng.sample(PACK, rng.randint(1, 18))) for _ in range(300)]
    for hand in (*(1 << card for card in PACK), *some):
        expected = next(card for card in CHEAPEST_FIRST[round_suits] if hand >> card & 1)
        assert cheapest_of(hand, round_suits=round_suits) == expected
        assert cards_of(hand) == cards_in(hand)
