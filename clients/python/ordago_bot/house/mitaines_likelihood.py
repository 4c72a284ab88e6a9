"""Likelihood of what the others did in Mitaines, in a deal that was imagined.

Whoever could have cleared the pile or stolen a declaration, and did not, probably holds no card for it; whoever parts
with a card probably holds no other of its rank. The chances are those of ``solid`` with eight worlds, as
``research/odds.py`` counts them.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from ordago.cards import JACK
from ordago.games.mitaines.pack import CARDS_OF_RANK, JACKS, RANK_OF
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import HAND_CARDS, MitainesView

_LEAVES_A_STEAL: Final = 0.08
"""The chance to lay another card where the hand has one of the rank that was declared."""
_LEAVES_A_CLEAR: Final = 0.2
"""The chance to lay another card where the hand has one of the rank on top."""
_KEEPS_A_JACK: Final = 0.5
"""The chance to lay another card on a pile where the hand has a jack, and nothing of the rank on top."""
_BREAKS_A_PAIR: Final = 0.25
"""The chance of a card of which the hand has another, as a part of that of a card of which it has none."""
_KEEPS_A_PAIR: Final = 0.6
"""The chance to lay a single card, rather than to declare, where the hand has a pair."""
_LEAST: Final = 1e-9
"""The least likelihood, for play that none of these chances foresees."""
_PAIRABLE: Final = tuple(cards for rank, cards in enumerate(CARDS_OF_RANK) if cards and rank != JACK)


class Turn(NamedTuple):
    """A card that was played from the hands that are held now."""

    seat: int
    card: int
    top: int
    """The rank on top of the pile; 0 for no pile."""
    declared: int
    """The rank of the declaration that stood; 0 for none."""
    tells: bool
    """True if the card was laid where another might have cleared, stolen or declared."""


def turns_seen(view: MitainesView) -> Iterator[Turn]:
    """Yield the turns of a view since the hands were dealt that are held now, in order."""
    dealt_at = len(view.played) // (HAND_CARDS[view.seats] * view.seats) * HAND_CARDS[view.seats] * view.seats
    clears, pile, declared, declarer = set(view.clears), list(view.laid), 0, None
    for place, (card, combination) in enumerate(zip(view.played, view.declared, strict=True)):
        seat, top, rank = (view.dealer + 1 + place) % view.seats, RANK_OF[pile[-1]] if pile else 0, RANK_OF[card]
        if place >= dealt_at:
            laid = not combination and place not in clears and seat != declarer
            yield Turn(seat, card, top, declared, tells=laid and seat != view.seat)
        pile.append(card)
        if combination:
            declared, declarer = rank, seat
        if place in clears:
            pile, declared, declarer = [], 0, None


class Likelihood:
    """The chance of what the others of a view did, in a state that may be behind it."""

    def __init__(self, view: MitainesView) -> None:
        """Read what was done."""
        self._turns = tuple(turns_seen(view))[::-1]

    def __call__(self, state: MitainesState) -> float:
        """Return the chance, up to a constant factor."""
        hands = list(state.hands)
        chance = 1.0
        for turn in self._turns:
            hands[turn.seat] |= 1 << turn.card
            if turn.tells:
                chance *= _chance(hands[turn.seat], turn)
        return chance + _LEAST


def _chance(hand: int, turn: Turn) -> float:
    """Return the chance that a hand lays a card, as a part of that of a hand that can do nothing better."""
    chance = 1.0
    if turn.declared:
        if hand & CARDS_OF_RANK[turn.declared]:
            chance = _LEAVES_A_STEAL
    elif turn.top and hand & CARDS_OF_RANK[turn.top]:
        chance = _LEAVES_A_CLEAR
    elif turn.top and hand & JACKS:
        chance = _KEEPS_A_JACK
    if _several(hand & CARDS_OF_RANK[RANK_OF[turn.card]]):
        return chance * _BREAKS_A_PAIR
    return chance * _KEEPS_A_PAIR if any(_several(hand & cards) for cards in _PAIRABLE) else chance


def _several(cards: int) -> bool:
    return cards & cards - 1 != 0
