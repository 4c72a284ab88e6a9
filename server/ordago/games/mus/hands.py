"""The worth of hands, in each lance and for signals.

Only the heights of the four cards matter, so there are a few hundred different hands. Each is evaluated once: a card
has a weight such that the sum of four of them identifies the hand, and a table maps the sum to the worth.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, final

from ordago.cache import Cache
from ordago.cards import (
    CABALLO,
    FIRST_SPANISH,
    LAST_CARD,
    REY,
    SOTA,
    SPANISH_SUITS,
    card_set,
    cards_in,
    cards_of_hands,
    spanish_rank,
    spanish_suit,
)
from ordago.games.mus.values import HAND, SEATS, Lance, Signal

PACK: Final = tuple(range(FIRST_SPANISH, LAST_CARD + 1))
"""The 40 cards, ascending."""
WHOLE_PACK: Final = card_set(PACK)
"""The 40 cards as a set."""

_SUIT_CARDS: Final = [card_set(card for card in PACK if spanish_suit(card) == suit) for suit in SPANISH_SUITS]
HAND_CARDS: Final[Cache[int, tuple[int, ...]]] = Cache(cards_of_hands(_SUIT_CARDS).__getitem__)
"""The cards of any set, ascending. Each hand is looked up again and again."""

_SUIT: Final = len(PACK) // len(SPANISH_SUITS)
"""The cards of a suit."""
_SUIT_RANKS: Final = (1 << _SUIT) - 1
"""All ranks of a suit, as a set."""

# From the lowest height to the highest, each with its ranks and with what a card of it counts.
_EIGHT_KINGS: Final = (
    *(((1, 2), 1), ((4,), 4), ((5,), 5), ((6,), 6), ((7,), 7)),
    *(((SOTA,), 10), ((CABALLO,), 10), ((REY, 3), 10)),
)
_FOUR_KINGS: Final = (
    *(((1,), 1), ((2,), 2), ((3,), 3), ((4,), 4), ((5,), 5), ((6,), 6), ((7,), 7)),
    *(((SOTA,), 10), ((CABALLO,), 10), ((REY,), 10)),
)
_HEIGHTS: Final = {8: _EIGHT_KINGS, 4: _FOUR_KINGS}

_JUEGOS_LOW_TO_HIGH: Final = (33, 34, 35, 36, 37, 40, 32, 31)
BEST_JUEGO: Final = 31
BEST_PUNTO: Final = 30
_PAR, _MEDIAS, _DUPLES = 1, 2, 3
_BASE: Final = 10
"""More than the number of heights, so that heights can be the digits of a number."""

PARES_FEATURE: Final = 1 << len(Signal) + 1
JUEGO_FEATURE: Final = PARES_FEATURE << 1


class HandWorth(NamedTuple):
    """The worth of a hand. The first five fields rank it in each lance, in the order of ``Lance``."""

    grande: int
    """Its rank in grande."""
    chica: int
    """Its rank in chica."""
    pares: int
    """The rank of its pairs; 0 for none."""
    juego: int
    """Its rank in juego; 0 for no juego."""
    punto: int
    """The points of its cards."""
    pares_bonus: int
    """The points for its pairs to the side that wins pares; 0 for none."""
    features: int
    """The features that it has, as a set of ``Signal``, ``PARES_FEATURE`` and ``JUEGO_FEATURE``."""


@final
class HandTable:
    """The worth of all hands.

    Attributes:
        kings: the number of cards that are kings.
        weights: the weight of each card, by its code.
        sums: the sum of the weights of any cards of a suit, by the set of their ranks, the ace being the lowest bit.
        worths: the worth of a hand by the sum of the weights of its cards.
        usefulness: how useful each card is by itself, by its code: the low ones between ace and king are least so,
            kings most.
    """

    __slots__ = ("kings", "sums", "usefulness", "weights", "worths")

    def __init__(
        self,
        *,
        kings: int,
        weights: tuple[int, ...],
        sums: tuple[int, ...],
        worths: dict[int, HandWorth],
        usefulness: tuple[int, ...],
    ) -> None:
        """Take the tables that are described above."""
        self.kings: Final = kings
        self.weights: Final = weights
        self.sums: Final = sums
        self.worths: Final = worths
        self.usefulness: Final = usefulness

    def __reduce__(self) -> "tuple[Callable[[int], HandTable], tuple[int]]":
        """Return the arguments that make a copy: there is one object for each number of kings."""
        return hand_table, (self.kings,)

    def worth(self, hand: int) -> HandWorth:
        """Return the worth of a hand, a set of four cards."""
        sums, ranks = self.sums, hand >> FIRST_SPANISH
        oros, copas = sums[ranks & _SUIT_RANKS], sums[ranks >> _SUIT & _SUIT_RANKS]
        espadas, bastos = sums[ranks >> 2 * _SUIT & _SUIT_RANKS], sums[ranks >> 3 * _SUIT]
        return self.worths[oros + copas + espadas + bastos]


@cache
def hand_table(kings: int) -> HandTable:
    """Return the worth of all hands, given the number of cards that are kings."""
    heights = _HEIGHTS[kings]
    height_of_rank = {rank: height for height, (ranks, _) in enumerate(heights) for rank in ranks}
    height_of = [height_of_rank[spanish_rank(card)] if card in PACK else 0 for card in range(LAST_CARD + 1)]
    king = len(heights) - 1
    useful = [king, *range(1, king), king + 1]
    weight = [(HAND + 1) ** height for height in range(len(heights))]
    counts = [counted for _, counted in heights]
    hands = combinations_with_replacement(range(len(heights)), HAND)
    worths = {sum(weight[height] for height in hand): _worth(hand, counts) for hand in hands}
    weights = tuple([weight[height] for height in height_of])
    of_suit = weights[FIRST_SPANISH : FIRST_SPANISH + _SUIT]
    return HandTable(
        kings=kings,
        weights=weights,
        sums=tuple([sum([of_suit[rank] for rank in cards_in(ranks)]) for ranks in range(1 << _SUIT)]),
        worths=worths,
        usefulness=tuple(useful[height] for height in height_of),
    )


def _worth(hand: Sequence[int], counts: Sequence[int]) -> HandWorth:
    """Return the worth of a hand of these heights, ascending, given the points of a card of each height."""
    points = sum(counts[height] for height in hand)
    pares, bonus = _pares(hand)
    return HandWorth(
        grande=_number(reversed(hand)),
        chica=_number(_BASE - 1 - height for height in hand),
        pares=pares,
        juego=_JUEGOS_LOW_TO_HIGH.index(points) + 1 if points in _JUEGOS_LOW_TO_HIGH else 0,
        punto=points,
        pares_bonus=bonus,
        features=_features(hand, bonus, points, king=len(counts) - 1),
    )


def _number(digits: Iterable[int]) -> int:
    number = 0
    for digit in digits:
        number = _BASE * number + digit
    return number


def _pares(hand: Sequence[int]) -> tuple[int, int]:
    """Return the rank of a hand's pairs, and the points for them."""
    alike = Counter(hand)
    pairs = sorted((height for height in alike for _ in range(alike[height] // 2)), reverse=True)
    if not pairs:
        return 0, 0
    kind = _DUPLES if len(pairs) == 2 else max(alike.values()) - 1
    return _number([kind, pairs[0], pairs[-1]]), kind


def _features(hand: Sequence[int], pares: int, points: int, *, king: int) -> int:
    kings, aces = hand.count(king), hand.count(0)
    true_of = {
        Signal.TWO_KINGS: kings == 2,
        Signal.TWO_ACES: aces == 2,
        Signal.MEDIAS_OF_KINGS: kings == 3,
        Signal.MEDIAS_OF_ACES: aces == 3,
        Signal.MEDIAS: pares == _MEDIAS,
        Signal.DUPLES: pares == _DUPLES,
        Signal.JUEGO: points >= BEST_JUEGO,
        Signal.THIRTY_ONE: points == BEST_JUEGO,
        Signal.THIRTY: points == BEST_PUNTO,
        Signal.TWENTY_NINE: points == BEST_PUNTO - 1,
        Signal.CIEGO: not pares and points < BEST_PUNTO - 1,
        Signal.THREE_KINGS: kings == 3,
        Signal.THREE_ACES: aces == 3,
        Signal.SOLOMILLO: kings == 3 and aces == 1,
    }
    features = sum(1 << signal for signal, is_true in true_of.items() if is_true)
    return features | (PARES_FEATURE if pares else 0) | (JUEGO_FEATURE if points >= BEST_JUEGO else 0)


def best_seat(worths: Sequence[HandWorth], lance: Lance, *, mano: int) -> int:
    """Return the seat with the best hand in a lance: of equal ones, the first from the mano on."""
    best = mano
    for step in range(1, SEATS):
        seat = (mano + step) % SEATS
        if worths[seat][lance - 1] > worths[best][lance - 1]:
            best = seat
    return best
