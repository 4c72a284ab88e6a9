"""The reasons for refusing an action.

The checks come in this order: the kind of action asked for, the fields that this kind fills in, and the rules for its
content.
"""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD
from ordago.game import Violation
from ordago.games.mitigati import bargaining, discarding, following
from ordago.games.mitigati.members import TO_DISCARD, TO_MAKE_A_STATEMENT, TO_PLAY_A_CARD
from ordago.games.mitigati.values import ActionKind, MitigatiAction, Phase

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
        return following.broken_rule(action.card, hand, led=led)
    if action.kind is TO_DISCARD:
        return discarding.broken_rule(action.cards, hand)
    if action.amount is not None:
        return bargaining.broken_rule(action.amount, statements, max_bid=max_bid)
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
