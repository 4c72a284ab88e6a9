"""The legal cards for a trick, the reasons for refusing others, and the inferences from a card played.

A trick on the table is described by three values: ``led``, the cards of the suit led as a set (empty while nothing was
led), ``best``, the card that would take the trick now (``NO_CARD`` while nothing was led), and ``trump``, the trump
suit or ``NO_TRUMP``. The legal cards depend only on these and the hand.
"""

from typing import Final

from ordago.cards import NO_CARD, holds, sign
from ordago.game import Violation
from ordago.games.mittlere.pack import JACK_OF, LOWER_TRUMPS, NO_TRUMP, SUIT_CARDS, SUIT_OF, WHOLE_PACK

SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
"""The names of the suits."""


def legal_cards(hand: int, *, led: int, best: int, trump: int) -> int:
    """Return the cards of a hand that may be played to a trick, as a set."""
    if best == NO_CARD:
        return hand
    if trump == NO_TRUMP:
        return hand & led or hand
    trumps = SUIT_CARDS[trump]
    if led == trumps:
        return hand & trumps if hand & trumps & ~JACK_OF[trump] else hand
    allowed = hand & (led | trumps) if hand & led else hand
    return allowed & ~LOWER_TRUMPS[trump][best] or hand


def ruled_out(card: int, *, led: int, best: int, trump: int) -> int:
    """Return the cards that a player shows not to hold by legally playing this card to a trick, as a set.

    It inverts ``legal_cards``: a card of a hand is legal if and only if the hand holds none of the cards that
    playing it rules out. A trump on a plain lead rules out nothing, since it may be played by those who could follow.
    """
    if best == NO_CARD or holds(led, card):
        return 0
    if trump == NO_TRUMP:
        return led
    if led == SUIT_CARDS[trump]:
        return led & ~JACK_OF[trump]
    if SUIT_OF[card] != trump:
        return led
    lower = LOWER_TRUMPS[trump][best]
    return WHOLE_PACK & ~lower if holds(lower, card) else 0


def broken_rule(card: int, hand: int, *, led: int, best: int, trump: int) -> Violation | None:
    """Return the rule that is broken by playing a card from a hand to a trick, or ``None`` if it is legal."""
    if holds(legal_cards(hand, led=led, best=best, trump=trump), card):
        return None
    if not holds(hand, card):
        return Violation("not_in_hand", f"You do not hold {sign(card)}: play a card of your hand.", "card")
    if trump != NO_TRUMP and led == SUIT_CARDS[trump]:
        return _follow_trump(trump)
    follows = bool(hand & led)
    if trump != NO_TRUMP and SUIT_OF[card] == trump:
        return _undertrump(card, best, follows=follows)
    return _follow_suit(led, trump, best)


def _follow_trump(trump: int) -> Violation:
    suit = SUIT_WORDS[trump]
    sentence = f"Trumps were led and you hold other {suit} than the jack: play any of your {suit}."
    return Violation("follow_trump", sentence, "card")


def _undertrump(card: int, best: int, *, follows: bool) -> Violation:
    instead = "follow suit" if follows else "another suit"
    sentence = f"{sign(card)} is lower than the trump {sign(best)} in this trick: play a higher trump or {instead}."
    return Violation("undertrump", sentence, "card")


def _follow_suit(led: int, trump: int, best: int) -> Violation:
    suit = SUIT_WORDS[SUIT_CARDS.index(led)]
    if trump == NO_TRUMP:
        instead = "follow suit"
    elif SUIT_OF[best] == trump:
        instead = f"follow suit or play a trump higher than {sign(best)}"
    else:
        instead = "follow suit or play a trump"
    return Violation("follow_suit", f"You hold {suit}, the suit led: {instead}.", "card")
