"""The legal discards of the dealer, and the reasons for refusing others."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import FOOL, card_set, holds, sign
from ordago.game import Pick, Violation
from ordago.games.mitigati.pack import ALL_TRUMPS, DISCARD_ORDER, KINGS, PAGAT, THE_FOOL, TWENTY_ONE, cards_of
from ordago.games.mitigati.values import DISCARDED, MitigatiAction, discard_of

NEVER_DISCARDED: Final = KINGS | 1 << TWENTY_ONE | THE_FOOL
"""The cards that are never laid away, as a set."""

_PAGAT: Final = 1 << PAGAT


def discardable(hand: int) -> int:
    """Return the cards of the dealer's 28 that may be laid away, as a set. Any three of them may go together."""
    kept = NEVER_DISCARDED | _PAGAT if hand & ALL_TRUMPS & ~_PAGAT else NEVER_DISCARDED
    return hand & ~kept


def pick_of(hand: int) -> Pick:
    """Return the pick that leaves all legal discards open."""
    return Pick(tuple(cards_of(discardable(hand))), DISCARDED, DISCARDED)


def default_discard(hand: int, *, round_suits: bool) -> MitigatiAction:
    """Return the discard of the first three cards in ``DISCARD_ORDER`` that may go."""
    may_go = discardable(hand)
    return discard_of([card for card in DISCARD_ORDER[round_suits] if holds(may_go, card)][:DISCARDED])


def broken_rule(cards: Sequence[int], hand: int) -> Violation | None:
    """Return the rule that is broken by laying away some cards of the dealer's 28, or ``None`` if it is legal."""
    if len(cards) != DISCARDED or len(set(cards)) != DISCARDED:
        return Violation("discard_three", f"Lay away {DISCARDED} different cards.", "cards")
    for card in cards:
        if not holds(hand, card):
            return Violation("not_in_hand", f"You do not hold {sign(card)}: lay away cards of your hand.", "cards")
        if holds(NEVER_DISCARDED, card):
            named = "the Fool" if card == FOOL else sign(card)
            return Violation("discard_honour", f"Kings, the XXI and the Fool stay: keep {named}.", "cards")
    if card_set(cards) & ~discardable(hand):
        sentence = "You hold other trumps than the I: it may be laid away only if it is your only trump."
        return Violation("discard_pagat", sentence, "cards")
    return None
