"""The pack of Mittlere Jass: the order and points of its cards, by the trump suit."""

from collections.abc import Iterable
from typing import Final

from ordago.cards import (
    ACE,
    FRENCH_SUITS,
    JACK,
    KING,
    LAST_CARD,
    NO_CARD,
    QUEEN,
    card_set,
    cards_of_hands,
    french,
    french_rank,
    french_suit,
)

NO_TRUMP: Final = len(FRENCH_SUITS)
"""Stands for the trump suit while there is none."""

_PLAIN_LOW_TO_HIGH: Final = (6, 7, 8, 9, 10, JACK, QUEEN, KING, ACE)
_TRUMP_LOW_TO_HIGH: Final = (6, 7, 8, 10, QUEEN, KING, ACE, 9, JACK)
_PLAIN_POINTS: Final = {ACE: 11, KING: 4, QUEEN: 3, JACK: 2, 10: 10}
_TRUMP_POINTS: Final = _PLAIN_POINTS | {JACK: 20, 9: 14}
_POINTS_OF_AN_EIGHT_WITHOUT_TRUMP: Final = 8

PACK: Final = tuple(sorted(french(suit, rank) for suit in FRENCH_SUITS for rank in _PLAIN_LOW_TO_HIGH))
"""The 36 cards, ascending."""
WHOLE_PACK: Final = card_set(PACK)
"""The 36 cards as a set."""
SUIT_CARDS: Final = tuple(
    card_set(card for card in PACK if french_suit(card) == suit) for suit in (*FRENCH_SUITS, NO_TRUMP)
)
"""The cards of each suit as a set. The cards of ``NO_TRUMP`` are none."""
SUIT_OF: Final = tuple(french_suit(card) for card in range(LAST_CARD + 1))
"""The suit of each card of the pack; without meaning for other cards."""
JACK_OF: Final = (*(1 << french(suit, JACK) for suit in FRENCH_SUITS), 0)
"""The jack of each suit as a set; none of ``NO_TRUMP``."""

_TRUMPS: Final = (*FRENCH_SUITS, NO_TRUMP)

HAND_CARDS: Final = cards_of_hands(SUIT_CARDS[:NO_TRUMP])
"""The cards of any set, ascending."""


def _height(card: int, trump: int) -> int:
    order = _TRUMP_LOW_TO_HIGH if SUIT_OF[card] == trump else _PLAIN_LOW_TO_HIGH
    return order.index(french_rank(card))


def _points(card: int, trump: int) -> int:
    points = _TRUMP_POINTS if SUIT_OF[card] == trump else _PLAIN_POINTS
    return points.get(french_rank(card), 0)


def _final_points(card: int, trump: int) -> int:
    if trump == NO_TRUMP and french_rank(card) == 8:
        return _POINTS_OF_AN_EIGHT_WITHOUT_TRUMP
    return _points(card, trump)


def _beats(card: int, other: int, trump: int) -> bool:
    if SUIT_OF[card] == SUIT_OF[other]:
        return _height(card, trump) > _height(other, trump)
    return SUIT_OF[card] == trump


def _beaten_by(card: int, trump: int) -> int:
    if card not in PACK:
        return 0
    return card_set([NO_CARD, *(other for other in PACK if _beats(card, other, trump))])


BEATEN_BY: Final = tuple(tuple(_beaten_by(card, trump) for card in range(LAST_CARD + 1)) for trump in _TRUMPS)
"""The cards that a card beats when it is played after them, as a set; ``NO_CARD``, an empty table, among them."""
LOWER_TRUMPS: Final = tuple(
    tuple(SUIT_CARDS[trump] & beaten if SUIT_OF[card] == trump else 0 for card, beaten in enumerate(BEATEN_BY[trump]))
    for trump in _TRUMPS
)
"""The trumps that are lower than a trump, as a set; none for other cards."""
POINTS: Final = tuple(tuple(_final_points(card, trump) for card in range(LAST_CARD + 1)) for trump in _TRUMPS)
"""The final points of a card, by the trump suit known after the last trick."""


def _cheapest_first(trump: int) -> tuple[int, ...]:
    return tuple(
        sorted(PACK, key=lambda card: (_points(card, trump), SUIT_OF[card] == trump, _height(card, trump), card))
    )


CHEAPEST_FIRST: Final = tuple(_cheapest_first(trump) for trump in _TRUMPS)
"""The cards in the order in which the default choice prefers them."""


def high_to_low(cards: Iterable[int]) -> list[int]:
    """Return cards in the order in which a player holds them: suit by suit, each from the ace down as a plain suit."""
    return sorted(cards, key=lambda card: (SUIT_OF[card], -_height(card, NO_TRUMP)))
