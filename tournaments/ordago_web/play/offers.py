"""A decision as the JSON that a browser offers it by: all that is legal, as a bot gets it, in words for people."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeAlias

from ordago.cards import NO_CARD
from ordago.game import LegalAction, Parts
from ordago.scene import Staging
from ordago_ladder.showing.scene_json import Json, Translate

Fill: TypeAlias = Callable[[LegalAction[Any], Parts[Any]], Hashable]
"""Fills in the open parts of a legal action, as ``Rules.fill`` does."""


def decision_json(
    number: int,
    *,
    legal: Sequence[LegalAction[Any]],
    extras: Sequence[Any],
    default: Any,  # noqa: ANN401 - an action of whatever game it is
    staging: Staging[Any, Any, Any],
    fill: Fill,
    translate: Translate,
) -> dict[str, Json]:
    """Return a decision. Actions and extras have the numbers that bots know them by, from 1.

    The shape, with everything that may be missing where there is none::

        {"number": 7, "offers": [OFFER], "extras": [{"extra": 1, "words": "…"}], "default": {"words": "…", …ANSWER}}

        OFFER: {"action": 1, "words": "Play 10♥", "cards": [36], "amount": {"min": 2, "max": 40},
                "picks": [{"cards": [3, 5], "min": 1, "max": 1}]}
        ANSWER: {"action": 1, "amount": 5, "cards": [3]}
    """
    found: dict[str, Json] = {
        "number": number,
        "offers": [_offer(place, each, staging, translate) for place, each in enumerate(legal, start=1)],
    }
    if extras:
        found["extras"] = [
            {"extra": place, "words": staging.offer(LegalAction(extra)).sentence.written(translate)}
            for place, extra in enumerate(extras, start=1)
        ]
    words = staging.offer(LegalAction(default)).sentence.written(translate)
    found["default"] = {"words": words, **_answer_of(default, legal, fill)}
    return found


def _offer(
    number: int, legal: LegalAction[Any], staging: Staging[Any, Any, Any], translate: Translate
) -> dict[str, Json]:
    offer = staging.offer(legal)
    found: dict[str, Json] = {"action": number, "words": offer.sentence.written(translate)}
    if offer.cards:
        found["cards"] = list(offer.cards)
    if legal.amount is not None:
        found["amount"] = legal.amount._asdict()
    if legal.picks:
        found["picks"] = [{"cards": list(pick.cards), "min": pick.min, "max": pick.max} for pick in legal.picks]
    return found


def _answer_of(action: Any, legal: Sequence[LegalAction[Any]], fill: Fill) -> dict[str, Json]:  # noqa: ANN401 - as above
    """Return the answer that names a complete action by the number of a legal one; empty if none becomes it."""
    for number, each in enumerate(legal, start=1):
        amount, cards = _amount(action, each), _cards(action, each)
        if _fits(each, amount, cards) and _filled(each, Parts(amount, cards), fill) == action:
            answer: dict[str, Json] = {"action": number}
            if amount is not None:
                answer["amount"] = amount
            if cards:
                answer["cards"] = list(cards)
            return answer
    return {}


def _filled(legal: LegalAction[Any], parts: Parts[Any], fill: Fill) -> Hashable:
    action: Hashable = fill(legal, parts) if legal.amount or legal.picks else legal.action
    return action


def _amount(action: Any, legal: LegalAction[Any]) -> int | None:  # noqa: ANN401 - as above
    return getattr(action, "amount", None) if legal.amount else None


def _cards(action: Any, legal: LegalAction[Any]) -> tuple[int, ...]:  # noqa: ANN401 - as above
    """Return those cards of an action that a legal one lets be picked."""
    named = (*getattr(action, "cards", ()), getattr(action, "card", NO_CARD))
    return tuple(sorted(card for pick in legal.picks for card in pick.cards if card in named))


def _fits(legal: LegalAction[Any], amount: int | None, cards: Sequence[int]) -> bool:
    if legal.amount is not None and not (amount is not None and legal.amount.min <= amount <= legal.amount.max):
        return False
    return all(pick.min <= len(set(cards) & set(pick.cards)) <= pick.max for pick in legal.picks)
