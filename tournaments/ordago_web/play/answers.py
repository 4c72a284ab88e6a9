"""What a browser sends: an answer to a decision, as JSON that anybody may have written."""

import json
from typing import Any, Final, NamedTuple

from ordago import v1

MOST_ANSWER_BYTES: Final = 4096
"""An answer is shorter: a few numbers."""
_MOST: Final = 2**31 - 1
"""No number of an answer is greater, in the contract neither."""
_MOST_CARDS: Final = 128
_KNOWN: Final = {"decision", "action", "amount", "cards", "extra"}


class MalformedAnswerError(ValueError):
    """What was sent is no answer. Whoever wrote the client erred."""


class Answered(NamedTuple):
    """An answer of a person."""

    decision: int
    """The number of the decision that it is about."""
    answer: v1.Answer
    """The answer, as a bot would give it."""


def read_answer(body: bytes) -> Answered:
    """Return the answer in the body of a request.

    The shape, with everything that an action does not need missing::

        {"decision": 7, "action": 2, "amount": 5, "cards": [36, 37], "extra": 1}

    Raises:
        MalformedAnswerError: it is none; the message says what is wrong.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise MalformedAnswerError("an answer is a JSON object") from None
    if not isinstance(found, dict):
        raise MalformedAnswerError("an answer is a JSON object")
    if unknown := found.keys() - _KNOWN:
        raise MalformedAnswerError(f"an answer has {', '.join(sorted(_KNOWN))}, and not {min(unknown)[:40]!r}")
    answer = v1.Answer(legal_action=_number(found, "action"), extra=_number(found, "extra", 0), cards=_cards(found))
    if "amount" in found:
        # What a game takes may be below zero: chips that are paid.
        answer.amount = _number(found, "amount", least=-_MOST)
    return Answered(_number(found, "decision"), answer)


def _number(found: dict[str, Any], name: str, otherwise: int | None = None, *, least: int = 0) -> int:
    value = found.get(name, otherwise)
    if type(value) is not int or not least <= value <= _MOST:
        raise MalformedAnswerError(f"{name!r} of an answer is a whole number")
    return value


def _cards(found: dict[str, Any]) -> list[Any]:
    cards = found.get("cards", [])
    if not isinstance(cards, list) or len(cards) > _MOST_CARDS:
        raise MalformedAnswerError("'cards' of an answer is a list of the numbers of cards")
    if not all(type(card) is int and 0 <= card <= _MOST for card in cards):
        raise MalformedAnswerError("'cards' of an answer is a list of the numbers of cards")
    return cards
