"""The value of a deal: the declarations, and the card points if it was played."""

from typing import Final

from ordago.cards import FOOL, count
from ordago.games.mitigati.pack import KINGS, MITIGATI_CARDS, POINTS, TAROCCHI_CARDS, cards_of
from ordago.games.mitigati.values import SEATS, Declaration, Holding

AVERAGE_POINTS: Final = 43
"""A third of the 129 card points."""
TAROCCHI_FROM: Final = 10
"""The number of trumps, the Fool counted as one, from which they are declared."""

_ALL_KINGS: Final = count(KINGS)
_ALL_MITIGATI: Final = count(MITIGATI_CARDS)
_ONORI_FROM: Final = 4


def honours_holding(kings: int, mitigati_cards: int) -> tuple[Holding, int] | None:
    """Return the holding for a number of kings and a number of trump I, trump XXI and the Fool, with its own number.

    The three holdings exclude each other, and the most valuable is scored: reale is never worth less than mitigati,
    nor mitigati less than onori.
    """
    if kings == _ALL_KINGS:
        return Holding.REALE, mitigati_cards
    if mitigati_cards == _ALL_MITIGATI:
        return Holding.MITIGATI, kings
    if kings + mitigati_cards >= _ONORI_FROM:
        return Holding.ONORI, kings + mitigati_cards
    return None


def declarations_of(hand: int, *, seat: int) -> list[Declaration]:
    """Return the declarations of a seat for the hand that it has after the discard."""
    declared = []
    tarocchi = hand & TAROCCHI_CARDS
    if count(tarocchi) >= TAROCCHI_FROM:
        declared.append(Declaration(seat, Holding.TAROCCHI, count(tarocchi), tuple(cards_of(tarocchi))))
    held = honours_holding(count(hand & KINGS), count(hand & MITIGATI_CARDS))
    if held is not None:
        declared.append(Declaration(seat, *held))
    return declared


def worth_of(declaration: Declaration) -> int:
    """Return the chips that each of the two others pays for a declaration."""
    match declaration.holding:
        case Holding.TAROCCHI:
            return declaration.number
        case Holding.REALE:
            return 20 + 5 * declaration.number
        case Holding.MITIGATI:
            return 15 + 5 * declaration.number
        case Holding.ONORI:
            return 10 + 5 * (declaration.number - _ONORI_FROM)


def scores_of(declaration: Declaration) -> tuple[int, ...]:
    """Return the chips that each seat gains or pays for a declaration."""
    worth = worth_of(declaration)
    return tuple([(SEATS - 1) * worth if seat == declaration.seat else -worth for seat in range(SEATS)])


def points_of(played: list[int], takers: list[int], *, dealer: int, discard: int) -> tuple[int, ...]:
    """Return the card points of each seat.

    Args:
        played: the cards of the tricks in the order of play, three a trick.
        takers: the seat that took each trick; its cards are its own, but the Fool is its player's.
        dealer: the dealer; the next seat led the first trick, and the discard counts for the dealer.
        discard: the cards laid away, as a set.
    """
    points = [0] * SEATS
    for trick, taker in enumerate(takers):
        first = SEATS * trick
        points[taker] += POINTS[played[first]] + POINTS[played[first + 1]] + POINTS[played[first + 2]]
    if FOOL in played:
        trick, place = divmod(played.index(FOOL), SEATS)
        leader = takers[trick - 1] if trick else (dealer + 1) % SEATS
        points[takers[trick]] -= POINTS[FOOL]
        points[(leader + place) % SEATS] += POINTS[FOOL]
    points[dealer] += sum([POINTS[card] for card in cards_of(discard)])
    return tuple(points)
