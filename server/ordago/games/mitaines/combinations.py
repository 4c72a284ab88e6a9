"""Mittens, gloves and socks: their cards, order and points; the points for clearing a pile."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum, unique
from typing import Final

from ordago.cards import JACK, KING
from ordago.games.mitaines.pack import RANK_OF, RANKS_LOW_TO_HIGH, TEN_OF_DIAMONDS


@unique
class Combination(IntEnum):
    """A combination as it is declared with a card."""

    NONE = 0
    """Nothing is declared."""
    MITTEN = 1
    """Two cards of one rank in hand."""
    GLOVE = 2
    """Three cards of one rank in hand."""
    SOCK = 3
    """Four cards of one rank in hand."""
    ADDED_GLOVE = 4
    """Two cards in hand of the rank of the pile's top card, which is counted in."""
    ADDED_SOCK = 5
    """Three cards in hand of the rank of the pile's top card, which is counted in."""


COMBINATIONS: Final = tuple(Combination)
"""All of them by their numbers, ``NONE`` first."""
OWN_CARDS: Final = (1, 2, 3, 4, 2, 3)
"""The cards of the rank that the player needs in hand, by combination. One for ``NONE``: the card itself."""
IS_ADDED: Final = (False, False, False, False, True, True)
"""For each combination, True if it includes the top card of the pile."""

_PLAIN: Final = (
    *(Combination.NONE, Combination.MITTEN, Combination.GLOVE, Combination.SOCK),
    *(Combination.GLOVE, Combination.SOCK),
)
_POINTS: Final = {Combination.NONE: 0, Combination.MITTEN: 10, Combination.GLOVE: 100, Combination.SOCK: 200}
_POINTS_OF_JACKS: Final = {Combination.NONE: 0, Combination.MITTEN: 50, Combination.GLOVE: 150, Combination.SOCK: 300}
_RANKS: Final = range(KING + 1)


def _points(combination: Combination, rank: int) -> int:
    return (_POINTS_OF_JACKS if rank == JACK else _POINTS)[_PLAIN[combination]]


def _strength(combination: Combination, rank: int) -> int:
    if combination is Combination.NONE or rank not in RANKS_LOW_TO_HIGH:
        return 0
    return _PLAIN[combination] * len(RANKS_LOW_TO_HIGH) + RANKS_LOW_TO_HIGH.index(rank)


POINTS: Final = tuple(tuple(_points(combination, rank) for rank in _RANKS) for combination in COMBINATIONS)
"""The points of a combination, by combination and rank."""
STRENGTH: Final = tuple(tuple(_strength(combination, rank) for rank in _RANKS) for combination in COMBINATIONS)
"""The strength of a combination, by combination and rank: the greater number steals. Zero for ``NONE``."""

TEN_POINTS: Final = 50

_COMBINATION_OF: Final = (Combination.NONE, Combination.NONE, Combination.MITTEN, Combination.GLOVE, Combination.SOCK)


def ten_points(cards: Sequence[int]) -> int:
    """Return the points of the ten of diamonds if it is among the cards, else 0."""
    return TEN_POINTS if TEN_OF_DIAMONDS in cards else 0


def laid_points(laid: Sequence[int]) -> int:
    """Return the points of the combinations among the four cards first laid; two different pairs are two mittens."""
    ranks = Counter(RANK_OF[card] for card in laid)
    return sum(POINTS[_COMBINATION_OF[number]][rank] for rank, number in ranks.items())


def single_points(card: int) -> int:
    """Return the points for clearing a single card with this card of its rank: those of a mitten."""
    return POINTS[Combination.MITTEN][RANK_OF[card]]
