"""The legal cards for a trick, the reasons for refusing others, and the inferences from a card played.

The actions of playing a card of a hand (``Choices``) are prepared suit by suit.

A trick on the table is described by one value: ``led``, the cards of the suit led as a set. It is empty while nothing
was led, or only the Fool: then any card may be played, and counts as the card led.
"""

from collections.abc import Sequence
from typing import Final

from ordago.cards import FOOL, NO_CARD, card_set, holds, sign
from ordago.game import LegalAction, Violation
from ordago.games.mitigati.pack import ALL_TRUMPS, CHEAPNESS, NO_SUIT, PACK, SUIT, SUIT_CARDS, THE_FOOL, cards_of
from ordago.games.mitigati.values import CARD, CARD_PLACE, MitigatiAction

_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades", "trumps")


def legal_cards(hand: int, *, led: int) -> int:
    """Return the cards of a hand that may be played to a trick, as a set."""
    bound = hand & led or hand & ALL_TRUMPS
    return bound | hand & THE_FOOL if led and bound else hand


def ruled_out(card: int, *, led: int) -> int:
    """Return the cards that a player shows not to hold by legally playing this card to a trick, as a set.

    It inverts ``legal_cards``: a card of a hand is legal if and only if the hand holds none of the cards that
    playing it rules out.
    """
    if card == FOOL or not led or holds(led, card):
        return 0
    return led if holds(ALL_TRUMPS, card) else led | ALL_TRUMPS


def broken_card_rule(card: int, hand: int, *, led: int) -> Violation | None:
    """Return the rule that is broken by playing a card from a hand to a trick, or ``None`` if it is legal."""
    if not holds(hand, card):
        return Violation("not_in_hand", f"You do not hold {sign(card)}: play a card of your hand.", "card")
    if holds(legal_cards(hand, led=led), card):
        return None
    fool = " or the Fool" if holds(hand, FOOL) else ""
    if hand & led:
        suit = _SUIT_WORDS[SUIT_CARDS.index(led)]
        return Violation("follow_suit", f"You hold {suit}, the suit led: play one of them{fool}.", "card")
    return Violation("must_trump", f"You cannot follow suit and hold trumps: play any of them{fool}.", "card")


_LEGAL: Final = tuple([LegalAction(CARD[card]) for card in (PACK[0], *PACK)])
"""The legal action of playing each card, one object for each, so that none has to be made; at ``NO_CARD`` no matter."""


class Choices:
    """The cards that a seat may play, kept up to date while it plays a hand."""

    __slots__ = ("_cards", "_of_suit")

    def __init__(self, hand: int) -> None:
        """Begin with a hand, a set of cards."""
        of_suit: tuple[list[LegalAction[MitigatiAction]], ...] = ([], [], [], [], [], [])
        for card in cards_of(hand):
            of_suit[SUIT[card]].append(_LEGAL[card])
        self._of_suit = of_suit
        self._cards: tuple[int, ...] = ()
        """The cards in display order; empty until first asked for."""

    def __reduce__(self) -> tuple[type["Choices"], tuple[int]]:
        """Return the arguments that make a copy with the same legal actions, which are compared by identity."""
        return Choices, (card_set(self.cards()),)

    def cards(self) -> tuple[int, ...]:
        """Return the cards of the hand, ascending."""
        if not self._cards:
            self._cards = tuple([action[CARD_PLACE] for action, _, _ in self.legal(NO_SUIT)])
        return self._cards

    def legal(self, suit: int) -> Sequence[LegalAction[MitigatiAction]]:
        """Return the actions that are legal, ascending, when a suit was led, or ``NO_SUIT``."""
        clubs, diamonds, hearts, spades, trumps, fool = self._of_suit
        bound = (self._of_suit[suit] or trumps) if suit != NO_SUIT else None
        if not bound:
            return (*clubs, *diamonds, *hearts, *spades, *trumps, *fool)
        return (*bound, *fool) if fool else tuple(bound)

    def cheapest(self, suit: int, *, piedmont: bool) -> MitigatiAction:
        """Return the action of the legal card that comes first in ``CHEAPEST_FIRST``, when a suit was led, or none."""
        legal, cards, place = self.legal(suit), self.cards(), CHEAPNESS[piedmont]
        if len(legal) < len(cards):
            cards = tuple([action[CARD_PLACE] for action, _, _ in legal])
        best = NO_CARD
        for card in cards:
            if place[card] < place[best]:
                best = card
        return CARD[best]

    def play(self, card: int) -> None:
        """Remove a card that was played."""
        held, played, place = self._of_suit[SUIT[card]], _LEGAL[card], 0
        while held[place] is not played:
            place += 1
        held.pop(place)
        if self._cards:
            place = self._cards.index(card)
            self._cards = self._cards[:place] + self._cards[place + 1 :]
