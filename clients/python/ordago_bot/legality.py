"""Verdicts on answers by a decision alone, without the rules of a game (docs/bot-process.md, decisions in a file)."""

from collections.abc import Iterator, Sequence
from typing import Any

from ordago import v1
from ordago_bot.bot import Choosable, answer_of


def is_legal(decision: v1.Decision, chosen: Choosable) -> bool:
    """Return True if the server would accept an answer to a decision.

    Args:
        decision: the decision.
        chosen: the answer, as ``choose`` may return it.
    """
    try:
        answer = answer_of(chosen, decision)
    except (TypeError, ValueError):
        return False
    if answer.concede and not decision.may_concede:
        return False
    named = answer.WhichOneof("action_choice")
    if named == "action":
        is_alone = answer == v1.Answer(action=answer.action, concede=answer.concede)
        return is_alone and any(_is_taken(answer.action, legal, decision) for legal in decision.actions)
    return named == "legal_action" and any(
        legal.id == answer.legal_action and _is_numbered(answer, legal, decision) for legal in decision.actions
    )


def _is_numbered(answer: v1.Answer, legal: v1.LegalAction, decision: v1.Decision) -> bool:
    amount = answer.amount if answer.HasField("amount") else None
    has_extra = not answer.extra or any(extra.id == answer.extra for extra in decision.extras)
    return has_extra and _fits_amount(amount, legal) and _fits_picks(answer.cards, legal.picks)


def _is_taken(action: v1.Action, legal: v1.LegalAction, decision: v1.Decision) -> bool:
    """Return True if a typed action is a legal one with its open parts filled in, and perhaps an extra."""
    if action.WhichOneof("game") != legal.action.WhichOneof("game"):
        return False
    bare = v1.Action()
    bare.CopyFrom(action)
    amount, cards = None, list[int]()
    # A game that the contract does not know has its action as bytes, which have to be the same.
    arm = _arm(bare)
    if arm is not None:
        if legal.HasField("amount"):
            amount = arm.amount
            arm.ClearField("amount")
        if legal.picks:
            cards = list(_take_cards(arm))
        _clear_extra(arm, decision.extras)
    return bare == legal.action and _fits_amount(amount, legal) and _fits_picks(cards, legal.picks)


def _arm(action: v1.Action) -> Any:  # noqa: ANN401 - a message of any game
    """Return the action as a message of its game; ``None`` if the contract does not know the game."""
    game = action.WhichOneof("game")
    return None if game in (None, "other") else getattr(action, game)


def _take_cards(arm: Any) -> Iterator[int]:  # noqa: ANN401 - a message of any game
    """Yield all cards of an action, and remove them."""
    for name in ("card", "cards"):
        if name in arm.DESCRIPTOR.fields_by_name:
            value = getattr(arm, name)
            yield from list(value) if name == "cards" else [value] if value else []
            arm.ClearField(name)


def _clear_extra(arm: Any, extras: Sequence[v1.Extra]) -> None:  # noqa: ANN401 - a message of any game
    """Remove the extra of an action, if it is one of these."""
    for extra in extras:
        said = _arm(extra.action)
        for field, value in said.ListFields():
            if getattr(arm, field.name) == value:
                arm.ClearField(field.name)
                return


def _fits_amount(amount: int | None, legal: v1.LegalAction) -> bool:
    if not legal.HasField("amount"):
        return amount is None
    return amount is not None and legal.amount.min <= amount <= legal.amount.max


def _fits_picks(cards: Sequence[int], picks: Sequence[v1.Pick]) -> bool:
    picked = [set(cards) & set(pick.cards) for pick in picks]
    numbers_fit = all(pick.min <= len(group) <= pick.max for pick, group in zip(picks, picked, strict=True))
    return numbers_fit and sum(map(len, picked)) == len(cards)
