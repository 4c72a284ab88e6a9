"""Cards of all packs as small integers, and sets of cards as bit masks.

A card is the integer that ``proto/ordago/v1/cards.proto`` gives it, so nothing has to be translated on the way to the
wire. A set of cards is an integer whose bit ``card`` is set for each card in it: union, intersection and difference
are ``|``, ``&`` and ``& ~``, and a set is a value that nobody else can change.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, unique
from typing import Final, Generic, TypeVar

T = TypeVar("T")

NO_CARD: Final = 0

CLUBS, DIAMONDS, HEARTS, SPADES, TRUMPS = range(5)
OROS, COPAS, ESPADAS, BASTOS = range(4)
FRENCH_SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)
SPANISH_SUITS: Final = (OROS, COPAS, ESPADAS, BASTOS)


@unique
class Suit(IntEnum):
    """A suit of any pack, with its number in the contract and not its number among the suits of its pack."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4
    TRUMPS = 5
    OROS = 6
    COPAS = 7
    ESPADAS = 8
    BASTOS = 9


ACE, JACK, KNIGHT, QUEEN, KING = 1, 11, 12, 13, 14
SOTA, CABALLO, REY = 8, 9, 10

FIRST_TRUMP: Final = 57
FOOL: Final = 78
FIRST_SPANISH: Final = 79
LAST_CARD: Final = 118

_RANKS_A_FRENCH_SUIT: Final = 14
_RANKS_A_SPANISH_SUIT: Final = 10


def french(suit: int, rank: int) -> int:
    """Return the card of a French suit (0 to 3) and a rank (1 ace, 11 jack, 12 knight, 13 queen, 14 king)."""
    return _RANKS_A_FRENCH_SUIT * suit + rank


def french_suit(card: int) -> int:
    """Return the suit of a French card (0 to 3), or ``TRUMPS`` for a tarot trump."""
    return (card - 1) // _RANKS_A_FRENCH_SUIT if card < FIRST_TRUMP else TRUMPS


def french_rank(card: int) -> int:
    """Return the rank of a French card, 1 to 14."""
    return (card - 1) % _RANKS_A_FRENCH_SUIT + 1


def trump(number: int) -> int:
    """Return the tarot trump of a number, 1 to 21."""
    return FIRST_TRUMP + number - 1


def trump_number(card: int) -> int:
    """Return the number of a tarot trump, 1 to 21."""
    return card - FIRST_TRUMP + 1


def spanish(suit: int, rank: int) -> int:
    """Return the card of a Spanish suit (0 oros to 3 bastos) and a rank (1 ace to 7, 8 sota, 9 caballo, 10 rey)."""
    return FIRST_SPANISH + _RANKS_A_SPANISH_SUIT * suit + rank - 1


def spanish_suit(card: int) -> int:
    """Return the suit of a Spanish card, 0 oros to 3 bastos."""
    return (card - FIRST_SPANISH) // _RANKS_A_SPANISH_SUIT


def spanish_rank(card: int) -> int:
    """Return the rank of a Spanish card, 1 ace to 7, 8 sota, 9 caballo, 10 rey."""
    return (card - FIRST_SPANISH) % _RANKS_A_SPANISH_SUIT + 1


def card_set(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> list[int]:
    """Return the cards of a set, ascending."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cards


def holds(mask: int, card: int) -> bool:
    """Return True if a card is in a set."""
    return bool(mask >> card & 1)


def count(mask: int) -> int:
    """Return the number of cards in a set."""
    return mask.bit_count()


class Hands(Generic[T]):
    """The values of the cards of any set, from a table of all subsets of each suit.

    It is several times faster than to take a set apart card by card.
    """

    __slots__ = ("_of_part", "_shifts", "_suits")

    def __init__(self, value_of: Mapping[int, T], suits: Sequence[int]) -> None:
        """Build the tables for the values of the cards of four suits, each a set, from the lowest cards up."""
        clubs, diamonds, hearts, spades = suits
        self._suits = (clubs, diamonds, hearts, spades)
        of_clubs, of_diamonds, of_hearts, of_spades = (cards_in(suit)[0] for suit in suits)
        self._shifts = (of_clubs, of_diamonds, of_hearts, of_spades)
        """The lowest card of each suit."""
        self._of_part = [_values_of_parts(value_of, suit) for suit in suits]
        """The values of the cards of all subsets of each suit, by the subset shifted down by its lowest card."""

    def __getitem__(self, cards: int) -> tuple[T, ...]:
        """Return the values of the cards of a set, ascending by card."""
        part = self._of_part
        clubs, diamonds, hearts, spades = self._suits
        of_clubs, of_diamonds, of_hearts, of_spades = self._shifts
        return (
            part[0][(cards & clubs) >> of_clubs]
            + part[1][(cards & diamonds) >> of_diamonds]
            + part[2][(cards & hearts) >> of_hearts]
            + part[3][(cards & spades) >> of_spades]
        )


def cards_of_hands(suits: Sequence[int]) -> Hands[int]:
    """Return the cards themselves of any set, ascending, given the four suits of a pack, each a set."""
    return Hands({card: card for suit in suits for card in cards_in(suit)}, suits)


def _values_of_parts(value_of: Mapping[int, T], suit: int) -> list[tuple[T, ...]]:
    """Return the values of each subset of a suit, by the subset shifted down by its lowest card."""
    lowest = cards_in(suit)[0]
    values: list[tuple[T, ...]] = [()] * (1 << suit.bit_length() - lowest)
    parts: list[int] = [0]
    for card in cards_in(suit):
        with_card = [part | 1 << card - lowest for part in parts]
        for part, longer in zip(parts, with_card, strict=True):
            values[longer] = (*values[part], value_of[card])
        parts += with_card
    return values


_FRENCH_RANK_SIGNS: Final = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "C", "Q", "K")
_FRENCH_SUIT_SIGNS: Final = "♣♦♥♠"
_SPANISH_RANK_SIGNS: Final = ("", "A", "2", "3", "4", "5", "6", "7", "S", "C", "R")
_SPANISH_SUIT_SIGNS: Final = "oceb"
_ROMAN: Final = (
    *("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"),
    *("XVI", "XVII", "XVIII", "XIX", "XX", "XXI"),
)


def sign(card: int) -> str:
    """Write a card for people: ``10♥``, ``C♠``, ``XXI``, ``O`` (the Fool), ``Ro`` (the rey of oros), ``?`` (unseen)."""
    if card == NO_CARD:
        return "?"
    if card < FIRST_TRUMP:
        return _FRENCH_RANK_SIGNS[french_rank(card)] + _FRENCH_SUIT_SIGNS[french_suit(card)]
    if card < FOOL:
        return _ROMAN[trump_number(card)]
    if card == FOOL:
        return "O"
    return _SPANISH_RANK_SIGNS[spanish_rank(card)] + _SPANISH_SUIT_SIGNS[spanish_suit(card)]


def sign_or_number(card: int) -> str:
    """Write a number from outside for people: as a card if it is one."""
    return sign(card) if NO_CARD < card <= LAST_CARD else f"Card {card}"


def signs(cards: Iterable[int]) -> str:
    """Write some cards for people, with a space between neighbours."""
    return " ".join(sign(card) for card in cards)


_CARD_OF_SIGN: Final = {sign(card): card for card in range(1, LAST_CARD + 1)}


def card_of(text: str) -> int:
    """Return the card that ``sign`` writes as this text.

    Raises:
        ValueError: no card is written like this.
    """
    try:
        return _CARD_OF_SIGN[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card") from None
