"""The knowledge of a seat about the hands of the others, and the drawing of deals that fit it.

A card played may show that a seat cannot hold certain others, and nothing else ever limits a hand but its size. So each
unseen card either belongs to one of the two other seats for certain, or may be with either; every way of giving the
first of them as many of the latter as its hand lacks is a deal that fits, and there are no others. Picking these cards
evenly therefore draws evenly among all deals that fit, and no draw is ever rejected.
"""

from random import Random
from typing import NamedTuple

from ordago.cards import NO_CARD, card_set, cards_in, count, holds
from ordago.games.mittlere.following import ruled_out
from ordago.games.mittlere.pack import BEATEN_BY, NO_TRUMP, SUIT_CARDS, SUIT_OF, WHOLE_PACK
from ordago.games.mittlere.values import SEATS, TRICKS, MittlereView


class Knowledge(NamedTuple):
    """A seat's knowledge of the hands. It is the first of ``seats``; the two others follow it in order of play."""

    seats: tuple[int, int, int]
    """The seat that knows, and the others."""
    certain: tuple[int, int, int]
    """The cards that each of ``seats`` holds for certain, as sets."""
    shared: tuple[int, ...]
    """The cards that are with either of the two others, ascending."""
    lacking: int
    """The number of shared cards that the first of the two others holds."""


def knowledge_of(view: MittlereView) -> Knowledge:
    """Return the knowledge of a view's seat about the hands."""
    seats = (view.seat, (view.seat + 1) % SEATS, (view.seat + 2) % SEATS)
    cannot_hold = _cannot_hold(view)
    hand = card_set(view.hand)
    unseen = WHOLE_PACK & ~hand & ~card_set(view.played) & ~card_set(view.trick)
    first, second = (cannot_hold[seat] & unseen for seat in seats[1:])
    certain = (hand, second & ~first, first & ~second)
    shared = unseen & ~first & ~second
    return Knowledge(seats, certain, tuple(cards_in(shared)), _cards_left(view, seats[1]) - count(certain[1]))


def draw_hands(knowledge: Knowledge, *, rng: Random) -> list[int]:
    """Draw the hands of all seats, in order of seats, uniformly from all that fit the seat's knowledge."""
    own, first, second = knowledge.certain
    shared = card_set(knowledge.shared)
    picked = card_set(rng.sample(knowledge.shared, knowledge.lacking))
    hands = [0] * SEATS
    for seat, hand in zip(knowledge.seats, (own, first | picked, second | shared & ~picked), strict=True):
        hands[seat] = hand
    return hands


def _cards_left(view: MittlereView, seat: int) -> int:
    played_to_trick = (seat - view.leader) % SEATS < len(view.trick)
    return TRICKS - len(view.takers) - played_to_trick


def _cannot_hold(view: MittlereView) -> list[int]:
    """Return the cards that each seat has shown not to hold, as sets."""
    excluded = [0] * SEATS
    leaders = ((view.dealer + 1) % SEATS, *view.takers)
    seat, led, best, trump = 0, 0, NO_CARD, NO_TRUMP
    for position, card in enumerate(view.played + view.trick):
        if position % SEATS == 0:
            seat, led, best = leaders[position // SEATS], SUIT_CARDS[SUIT_OF[card]], NO_CARD
        excluded[seat] |= ruled_out(card, led=led, best=best, trump=trump)
        if view.trump is not None and card == view.trump.card:
            trump = SUIT_OF[card]
        if holds(BEATEN_BY[trump][card], best):
            best = card
        seat = (seat + 1) % SEATS
    return excluded
