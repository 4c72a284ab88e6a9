"""What may be said in a bargain and what the dealer may lay away; why an action is refused, whatever it is.

The statements of a bargain are amounts in the order in which they were made, so the last three are those of the three
seats, and the third from the end is the speaker's own last one.

The checks come in this order: the kind of action asked for, the fields that this kind fills in, and the rules for its
content.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ordago.cards import FOOL, NO_CARD, card_set, holds, sign
from ordago.game import AmountRange, LegalAction, Pick, Violation
from ordago.games.mitigati import following
from ordago.games.mitigati.members import TO_DISCARD, TO_MAKE_A_STATEMENT, TO_PLAY_A_CARD
from ordago.games.mitigati.pack import ALL_TRUMPS, DISCARD_ORDER, KINGS, PAGAT, THE_FOOL, TWENTY_ONE, cards_of
from ordago.games.mitigati.values import (
    DISCARDED,
    OPEN_STATEMENT,
    PLAY,
    SEATS,
    ActionKind,
    MitigatiAction,
    Phase,
    discard_of,
)

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


def default_discard(hand: int, *, piedmont: bool) -> MitigatiAction:
    """Return the discard of the first three cards in ``DISCARD_ORDER`` that may go."""
    may_go = discardable(hand)
    return discard_of([card for card in DISCARD_ORDER[piedmont] if holds(may_go, card)][:DISCARDED])


def broken_discard_rule(cards: Sequence[int], hand: int) -> Violation | None:
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


def open_statements(statements: Sequence[int], *, max_bid: int) -> Sequence[LegalAction[MitigatiAction]]:
    """Return the legal actions of the next speaker: a statement, unless no amount is low enough, and *play*."""
    return _open_statements(-max_bid, _own_last(statements) - 1 if len(statements) >= SEATS else max_bid)


@lru_cache
def _open_statements(lowest: int, highest: int) -> Sequence[LegalAction[MitigatiAction]]:
    if highest < lowest:
        return (LegalAction(PLAY),)
    return (LegalAction(OPEN_STATEMENT, amount=AmountRange(lowest, highest)), LegalAction(PLAY))


def balance(statements: Sequence[int]) -> int | None:
    """Return the sum of the last statements of the three seats; ``None`` until all have spoken.

    Zero means agreement. A negative sum excludes it for good, since all further statements are lower.
    """
    return sum(statements[-SEATS:]) if len(statements) >= SEATS else None


def broken_statement_rule(amount: int, statements: Sequence[int], *, max_bid: int) -> Violation | None:
    """Return the rule that is broken by stating an amount, or ``None`` if it is legal."""
    if abs(amount) > max_bid:
        sentence = f"A statement receives or pays at most {max_bid} chips: state from {-max_bid} to {max_bid}."
        return Violation("max_bid", sentence, "amount")
    if len(statements) >= SEATS and amount >= _own_last(statements):
        return _not_lower(_own_last(statements), max_bid=max_bid)
    return None


def _own_last(statements: Sequence[int]) -> int:
    return statements[-SEATS]


def _not_lower(last: int, *, max_bid: int) -> Violation:
    instead = f"state less than {last}, or say play" if last > -max_bid else "nothing lower is left, so say play"
    return Violation("lower_statement", f"Your last statement in this bargain was {last}: {instead}.", "amount")


_ASKED: Final = {
    None: ((), "Nothing is asked now: the cards are not dealt yet."),
    Phase.BARGAIN: ((ActionKind.STATEMENT, ActionKind.PLAY), "A bargain is on: make a statement or say play."),
    Phase.DISCARD: ((ActionKind.DISCARD,), "The discard is due: lay away three cards."),
    Phase.TRICKS: ((ActionKind.CARD,), "A trick is on: play a card."),
}


def broken_rule(
    action: MitigatiAction, *, phase: Phase | None, hand: int, led: int, statements: Sequence[int], max_bid: int
) -> Violation | None:
    """Return the rule that an action breaks, or ``None`` if it is legal.

    Args:
        action: the action.
        phase: the kind of decision that is due.
        hand: the hand of the actor, as a set.
        led: the cards of the suit led, as a set.
        statements: the statements of the bargain that goes on.
        max_bid: the most chips that a statement may receive or pay.
    """
    kinds, sentence = _ASKED[phase]
    if action.kind not in kinds:
        return Violation("not_asked", sentence, "kind")
    wrong_part = _wrong_part(action)
    if wrong_part is not None:
        return wrong_part
    if action.kind is TO_PLAY_A_CARD:
        return following.broken_card_rule(action.card, hand, led=led)
    if action.kind is TO_DISCARD:
        return broken_discard_rule(action.cards, hand)
    if action.amount is not None:
        return broken_statement_rule(action.amount, statements, max_bid=max_bid)
    return None


def _wrong_part(action: MitigatiAction) -> Violation | None:
    kind, amount, cards, card = action
    return (
        _wrong("amount", is_filled=amount is not None, belongs=kind is TO_MAKE_A_STATEMENT)
        or _wrong("cards", is_filled=bool(cards), belongs=kind is TO_DISCARD)
        or _wrong("card", is_filled=card != NO_CARD, belongs=kind is TO_PLAY_A_CARD)
    )


def _wrong(part: str, *, is_filled: bool, belongs: bool) -> Violation | None:
    if is_filled == belongs:
        return None
    sentence = f"This kind of action fills in {part!r}." if belongs else f"This kind of action leaves {part!r} empty."
    return Violation("parts", sentence, part)
