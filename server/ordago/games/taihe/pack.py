"""The pack of Taihe A Bao, how high its ranks stand, and which ranks a set of cards has.

Suits only name cards, so play is about ranks. A set of ranks is written as the set of the clubs of these ranks: like
this the ranks of a set of cards are found with a few shifts.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from ordago.cards import (
    ACE,
    CLUBS,
    FRENCH_SUITS,
    HEARTS,
    JACK,
    KING,
    QUEEN,
    SPADES,
    card_set,
    cards_of_hands,
    french,
    french_rank,
)

LOW_TO_HIGH: Final = (4, 5, 6, 7, 9, 10, JACK, QUEEN, KING, ACE)
"""The ranks, from the lowest up."""
ROWS: Final = ((4, 5, 6, 7), (9, 10, JACK, QUEEN, KING))
"""The ranks that sequences are made of, row by row from the lowest up."""
FOUR_OF_HEARTS: Final = french(HEARTS, 4)
"""The card whose holder bids first in the first deal."""
FOUR_OF_SPADES: Final = french(SPADES, 4)
"""The card that three players do without."""

PACK: Final = tuple(sorted(french(suit, rank) for suit in FRENCH_SUITS for rank in LOW_TO_HIGH))
"""The 40 cards, ascending."""
CARDS_OF_RANK: Final = {rank: card_set(french(suit, rank) for suit in FRENCH_SUITS) for rank in LOW_TO_HIGH}
"""The four cards of each rank, as a set."""

HAND_CARDS: Final = cards_of_hands([card_set(french(suit, rank) for rank in LOW_TO_HIGH) for suit in FRENCH_SUITS])
"""The cards of any set, ascending."""

_PACK_OF_THREE_PLAYERS: Final = tuple(card for card in PACK if card != FOUR_OF_SPADES)
_SET: Final = card_set(PACK)
_SET_OF_THREE_PLAYERS: Final = card_set(_PACK_OF_THREE_PLAYERS)
_CLUBS: Final = card_set(french(CLUBS, rank) for rank in LOW_TO_HIGH)
_DIAMONDS_BEYOND_CLUBS, _HEARTS_BEYOND_CLUBS, _SPADES_BEYOND_CLUBS = (
    french(suit, ACE) - french(CLUBS, ACE) for suit in FRENCH_SUITS[1:]
)
_HEIGHT: Final = {rank: height for height, rank in enumerate(LOW_TO_HIGH)}


def pack_of(seats: int) -> tuple[int, ...]:
    """Return the cards for a number of players, ascending."""
    return _PACK_OF_THREE_PLAYERS if seats == 3 else PACK


def pack_set_of(seats: int) -> int:
    """Return the cards for a number of players, as a set."""
    return _SET_OF_THREE_PLAYERS if seats == 3 else _SET


def parts_of(cards: int) -> list[int]:
    """Return all sets of some of the cards of a set, the empty one among them."""
    parts = [0]
    for card in HAND_CARDS[cards]:
        parts += [part | 1 << card for part in parts]
    return parts


RanksByCount: TypeAlias = tuple[int, int, int, int]
"""The ranks with at least one, two, three and four cards in a set, each as the set of their clubs."""


def ranks_by_count(cards: int) -> RanksByCount:
    """Return the ranks with at least one, two, three and four cards in a set."""
    clubs = cards & _CLUBS
    diamonds = cards >> _DIAMONDS_BEYOND_CLUBS & _CLUBS
    hearts = cards >> _HEARTS_BEYOND_CLUBS & _CLUBS
    spades = cards >> _SPADES_BEYOND_CLUBS & _CLUBS
    one_low, two_low = clubs | diamonds, clubs & diamonds
    one_high, two_high = hearts | spades, hearts & spades
    return (
        one_low | one_high,
        two_low | two_high | one_low & one_high,
        two_low & one_high | one_low & two_high,
        two_low & two_high,
    )


def height(card: int) -> int:
    """Return the height of a card, from 0 for a 4 to 9 for an ace."""
    return _HEIGHT[french_rank(card)]


LOWEST_FIRST: Final = tuple(sorted(PACK, key=lambda card: (height(card), card)))
"""The 40 cards from the lowest rank up, those of a rank ascending."""


def high_to_low(cards: Iterable[int]) -> list[int]:
    """Return cards in the order in which a player holds them, from the highest rank down."""
    return sorted(cards, key=lambda card: (-height(card), card))
