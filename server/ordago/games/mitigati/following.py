"""The legal cards for a trick, the reasons for refusing others, and the inferences from a card played.

A trick on the table is described by one value: ``led``, the cards of the suit led as a set. It is empty while nothing
was led, and while nothing but the Fool was: then any card may be played, and it is the card led.
"""

from typing import Final

from ordago.cards import FOOL, holds, sign
from ordago.game import Violation
from ordago.games.mitigati.pack import ALL_TRUMPS, SUIT_CARDS, THE_FOOL

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


def broken_rule(card: int, hand: int, *, led: int) -> Violation | None:
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
