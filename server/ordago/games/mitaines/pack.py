"""The pack of Mitaines: 52 French cards. Suits do not matter, except for the ten of diamonds."""

from typing import Final

from ordago.cards import ACE, DIAMONDS, FRENCH_SUITS, JACK, KING, QUEEN, card_set, cards_of_hands, french, french_rank

RANKS_LOW_TO_HIGH: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, QUEEN, KING, ACE, JACK)
"""The ranks, from the weakest to the strongest."""
PACK: Final = tuple(sorted(french(suit, rank) for suit in FRENCH_SUITS for rank in RANKS_LOW_TO_HIGH))
"""The 52 cards, ascending."""
WHOLE_PACK: Final = card_set(PACK)
"""The 52 cards as a set."""
CARDS_OF: Final = cards_of_hands([card_set(french(suit, rank) for rank in RANKS_LOW_TO_HIGH) for suit in FRENCH_SUITS])
"""The cards of any hand, ascending, by their set."""
TEN_OF_DIAMONDS: Final = french(DIAMONDS, 10)
"""The one card that counts by itself."""

_PLACES: Final = max(PACK) + 1

RANK_OF: Final = tuple(french_rank(card) if card in PACK else 0 for card in range(_PLACES))
"""The rank of each card: 1 ace, 2 to 10, 11 jack, 13 queen, 14 king."""
CARDS_OF_RANK: Final = tuple(card_set(card for card in PACK if RANK_OF[card] == rank) for rank in range(KING + 1))
"""The cards of each rank as a set."""
JACKS: Final = CARDS_OF_RANK[JACK]
"""The jacks as a set."""
CHEAPEST_FIRST: Final = tuple(
    sorted(PACK, key=lambda card: (card == TEN_OF_DIAMONDS, RANKS_LOW_TO_HIGH.index(RANK_OF[card]), card))
)
"""The cards in the order in which the default choice prefers them."""

_RANK_WORDS: Final = (
    *("", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "", "queen", "king"),
)


def with_article(rank: int) -> str:
    """Name a card of a rank, for instance ``a seven`` or ``an ace``."""
    word = _RANK_WORDS[rank]
    return f"an {word}" if word[0] in "ae" else f"a {word}"


def plural(rank: int) -> str:
    """Name the cards of a rank, for instance ``sevens`` or ``sixes``."""
    word = _RANK_WORDS[rank]
    return f"{word}es" if word.endswith("x") else f"{word}s"
