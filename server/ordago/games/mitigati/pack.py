"""The pack of Mitigati: the order and points of its cards, and the dealing.

The tables that depend on the option ``ranking`` are indexed first by whether it is that of Piedmont; ``False`` and
``True`` serve as 0 and 1. They are computed once, so that playing a card takes a few lookups.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from ordago.cache import Cache
from ordago.cards import (
    DIAMONDS,
    FOOL,
    FRENCH_SUITS,
    HEARTS,
    JACK,
    KING,
    KNIGHT,
    NO_CARD,
    QUEEN,
    TRUMPS,
    card_set,
    french,
    french_rank,
    french_suit,
    trump,
    trump_number,
)

PACK: Final = tuple(range(1, FOOL + 1))
"""The 78 cards, ascending: the four suits, the trumps, the Fool."""
WHOLE_PACK: Final = card_set(PACK)
"""The 78 cards as a set."""
PAGAT: Final = trump(1)
"""Trump I."""
TWENTY_ONE: Final = trump(21)
"""Trump XXI, the highest."""
THE_FOOL: Final = 1 << FOOL
"""The Fool as a set."""
KINGS: Final = card_set(french(suit, KING) for suit in FRENCH_SUITS)
"""The four kings as a set."""
MITIGATI_CARDS: Final = card_set((PAGAT, TWENTY_ONE, FOOL))
"""Trump I, trump XXI and the Fool as a set."""
HONOURS: Final = KINGS | MITIGATI_CARDS
"""The seven cards that count for onori, as a set."""
ALL_TRUMPS: Final = card_set(trump(number) for number in range(1, 22))
"""The 21 trumps as a set, without the Fool."""
TAROCCHI_CARDS: Final = ALL_TRUMPS | THE_FOOL
"""The cards that count for tarocchi, as a set."""
SUIT_CARDS: Final = (
    *(card_set(card for card in PACK if card < PAGAT and french_suit(card) == suit) for suit in FRENCH_SUITS),
    ALL_TRUMPS,
)
"""The cards of each suit as a set, the trumps last. The Fool is in none."""

NO_SUIT: Final = TRUMPS + 1
"""The suit number of the Fool, and of a trick to which nothing else was played."""

_LAST_PIP: Final = 10
_ROUND_SUITS: Final = (DIAMONDS, HEARTS)
"""The suits that stand for coins and cups, whose pips run the other way in Piedmont."""
_ANGEL: Final = trump(20)
"""Trump XX, the highest in Piedmont, though the XXI keeps its points."""
_POINTS_OF_A_RANK: Final = {KING: 5, QUEEN: 4, KNIGHT: 3, JACK: 2}
_POINTS_OF_A_TRUMP: Final = {PAGAT: 5, TWENTY_ONE: 5, FOOL: 4}


def _suit(card: int) -> int:
    return french_suit(card) if card < FOOL else NO_SUIT


def _height(card: int, *, piedmont: bool) -> int:
    """Return the rank order of a card within its suit; higher cards have higher numbers."""
    if piedmont and card in (_ANGEL, TWENTY_ONE):
        return trump_number(_ANGEL + TWENTY_ONE - card)
    if card >= PAGAT:
        return trump_number(card)
    rank = french_rank(card)
    if piedmont and rank <= _LAST_PIP and _suit(card) in _ROUND_SUITS:
        return _LAST_PIP + 1 - rank
    return rank


def _points(card: int) -> int:
    if card >= PAGAT:
        return _POINTS_OF_A_TRUMP.get(card, 1)
    return _POINTS_OF_A_RANK.get(french_rank(card), 1) if card != NO_CARD else 0


def _beats(card: int, other: int, *, piedmont: bool) -> bool:
    if FOOL in (card, other):
        return card != FOOL
    if _suit(card) == _suit(other):
        return _height(card, piedmont=piedmont) > _height(other, piedmont=piedmont)
    return _suit(card) == TRUMPS


def _beaten_by(card: int, *, piedmont: bool) -> int:
    if card in (NO_CARD, FOOL):
        return 0
    return card_set([NO_CARD, *(other for other in PACK if _beats(card, other, piedmont=piedmont))])


def _one_by_one(cards: int) -> tuple[bool, ...]:
    """Return for each card, from ``NO_CARD`` on, True if it is in a set."""
    return tuple([sign == "1" for sign in reversed(f"{cards:0{FOOL + 1}b}")])


def _cheapest_first(*, piedmont: bool) -> tuple[int, ...]:
    return tuple(sorted(PACK, key=lambda card: (POINTS[card], *_lowest_first(card, piedmont=piedmont))))


def _discard_order(*, piedmont: bool) -> tuple[int, ...]:
    """Return the cards with all plain suits first, the dearest of them before the cheapest, and trump I last."""
    plain = [card for card in PACK if card < PAGAT]
    plain.sort(key=lambda card: (-POINTS[card], *_lowest_first(card, piedmont=piedmont)))
    return (*plain, *(trump(number) for number in range(2, 22)), PAGAT)


def _lowest_first(card: int, *, piedmont: bool) -> tuple[bool, bool, int, int]:
    """Return a key that puts the Fool, which costs its player nothing, first, then plain cards, then trumps."""
    return card != FOOL, card >= PAGAT, _height(card, piedmont=piedmont), card


POINTS: Final = tuple(_points(card) for card in range(FOOL + 1))
"""The points of each card; 129 in all."""
LED: Final = tuple(0 if card in (NO_CARD, FOOL) else SUIT_CARDS[_suit(card)] for card in range(FOOL + 1))
"""The cards of the suit that a card leads, as a set; none for the Fool."""
SUIT: Final[tuple[int, ...]] = (NO_SUIT, *map(_suit, PACK))
"""The suit of each card by its number, as those in ``SUIT_CARDS``; ``NO_SUIT`` for the Fool and no card."""
BIT: Final = tuple(1 << card for card in range(FOOL + 1))
"""Each card as a set."""
BEATEN_BY: Final = tuple(
    tuple(_beaten_by(card, piedmont=piedmont) for card in range(FOOL + 1)) for piedmont in (False, True)
)
"""The cards that a card beats when it is played after them, as a set, ``NO_CARD``, an empty table, among them.

A card of another suit than the one led beats what lies there only if it is a trump, so it never takes by mistake.
"""
BEATS: Final = tuple(tuple(map(_one_by_one, of_a_card)) for of_a_card in BEATEN_BY)
"""The same as a table: whether a card beats another one, by both."""
CHEAPEST_FIRST: Final = tuple(_cheapest_first(piedmont=piedmont) for piedmont in (False, True))
"""The cards in the order in which the default choice of a card prefers them."""
CHEAPNESS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple([order.index(card) if card else len(order) for card in (NO_CARD, *PACK)]) for order in CHEAPEST_FIRST
)
"""The place of each card in that order, from 0; ``NO_CARD`` comes behind all."""
DISCARD_ORDER: Final = tuple(_discard_order(piedmont=piedmont) for piedmont in (False, True))
"""The cards in the order in which the default discard prefers them."""


_BYTES: Final = FOOL // 8 + 1
_CARDS_OF_BYTES: Final = tuple(
    tuple(tuple([8 * place + bit for bit in range(8) if byte >> bit & 1]) for byte in range(256))
    for place in range(_BYTES)
)


def cards_of(hand: int) -> list[int]:
    """Return the cards of a set, ascending, as ``cards_in`` does: many times quicker where there are many."""
    cards: list[int] = []
    packed = hand.to_bytes(_BYTES, "little")
    for place in range(_BYTES):
        cards.extend(_CARDS_OF_BYTES[place][packed[place]])
    return cards


CARDS_SEEN: Final[Cache[int, tuple[int, ...]]] = Cache(lambda hand: tuple(cards_of(hand)))
"""The cards of a set, ascending, of those that are seen again and again: hands before play, and discards."""


def set_of(cards: Sequence[int]) -> int:
    """Return the set of some cards, as ``card_set`` does: quicker, since no bit has to be shifted."""
    hand = 0
    for card in cards:
        hand |= BIT[card]
    return hand


def high_to_low(cards: Iterable[int]) -> list[int]:
    """Return cards in the order in which a player holds them: suit by suit, each from the king down, the Fool last."""
    return sorted(cards, key=lambda card: (_suit(card), -_height(card, piedmont=False)))


# A variable-length tuple type keeps the compiler from building a new tuple for each access.
_PACKETS: Final[tuple[tuple[tuple[tuple[int, int], ...], ...], ...]] = (
    (((0, 5), (15, 20)), ((5, 10), (20, 25)), ((10, 15), (25, 30))),
    (((0, 5),), ((5, 10),), ((10, 15),)),
    (((0, 5),), ((5, 10),), ((10, 15),)),
    (((0, 5),), ((5, 10),), ((10, 18),)),
)
"""The bounds of the packets in the stock, by the number of finished bargains and by place at the table."""
_DEALT: Final[tuple[int, ...]] = (30, 15, 15, 18)
"""The number of cards in each round of dealing."""


def received(stock: tuple[int, ...], place: int, *, bargains: int) -> tuple[int, ...]:
    """Return the cards that a place at the table, 0 after the dealer, gets after this number of bargains."""
    cards: tuple[int, ...] = ()
    for start, end in _PACKETS[bargains][place]:
        cards += stock[start:end]
    return cards


def left(stock: tuple[int, ...], *, bargains: int) -> tuple[int, ...]:
    """Return the cards of the stock that are left then."""
    return stock[_DEALT[bargains] :]
