"""The values of the cards of a set are the same, whether they come from tables of suits or card by card."""

from random import Random

import pytest

from ordago.cards import LAST_CARD, Hands, cards_in, french, spanish
from ordago.games.mittlere import pack as mittlere
from ordago.games.mus import hands as mus
from ordago.games.taihe import pack as taihe

PACKS = {"mittlere": mittlere, "mus": mus, "taihe": taihe}
SETS = 500


@pytest.mark.parametrize("name", PACKS)
def test_the_cards_of_a_set_are_those_of_the_pack_in_it_ascending(name: str) -> None:
    """Cards of other packs are no cards of this one, wherever their bits stand between those of its suits."""
    pack, rng = PACKS[name], Random(name)
    for _ in range(SETS):
        some = rng.getrandbits(LAST_CARD + 1)
        assert pack.HAND_CARDS[some] == tuple(card for card in cards_in(some) if card in pack.PACK)


def test_suits_of_any_lengths_and_places_do_not_get_into_each_other() -> None:
    suits = [
        [french(0, 6), french(0, 14)],
        [french(1, 1)],
        [french(2, rank) for rank in range(1, 15)],
        [spanish(3, 2), spanish(3, 9)],
    ]
    cards = [card for suit in suits for card in suit]
    hands = Hands({card: f"card {card}" for card in cards}, [sum(1 << card for card in suit) for suit in suits])
    rng = Random(3)
    for _ in range(SETS):
        some = rng.getrandbits(LAST_CARD + 1)
        assert hands[some] == tuple(f"card {card}" for card in cards_in(some) if card in cards)
