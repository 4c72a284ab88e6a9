"""The points for clearing a pile, apart from the declaration that it may complete."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ordago.games.mitaines.combinations import POINTS, Combination
from ordago.games.mitaines.pack import RANK_OF, TEN_OF_DIAMONDS

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
