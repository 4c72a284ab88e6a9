"""Answers of a person to decisions, as untrusted JSON from a browser."""

import json
from typing import Any, Final, NamedTuple

from ordago import v1

MOST_ANSWER_BYTES: Final = 4096
"""More than any answer needs: a few numbers."""
_MOST: Final = 2**31 - 1
"""The largest number in an answer, that of the protocol."""
_MOST_CARDS: Final = 128
"""More than any pack has: the largest has 78 cards."""
_KNOWN: Final = {"decision", "action", "amount", "cards", "extra"}


class MalformedAnswerError(ValueError):
    """A malformed answer. The author of the client erred."""


class Answered(NamedTuple):
    """An answer of a person."""

    decision: int
    """The number of its decision."""
    answer: v1.Answer
    """The answer, in the form in which bots give it."""


def read_answer(body: bytes) -> Answered:
    """Parse the answer in the body of a request.

    The shape, in which an action leaves out what it does not need::

        {"decision": 7, "action": 2, "amount": 5, "cards": [36, 37], "extra": 1}

    Raises:
        MalformedAnswerError: it is no answer. The message gives the reason.
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
        # An amount may be negative in some games, for instance chips to pay.
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
