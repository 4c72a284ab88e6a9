"""From what a bot chooses to the answer that is sent."""

from random import Random
from typing import TypeAlias

from ordago import v1

Choosable: TypeAlias = v1.LegalAction | v1.Action | v1.Answer
"""What a bot may return."""


def answer_of(chosen: object) -> v1.Answer:
    """Return the answer that stands for what a bot chose.

    Raises:
        TypeError: it is nothing that can be chosen.
    """
    if isinstance(chosen, v1.Answer):
        return chosen
    if isinstance(chosen, v1.LegalAction):
        return v1.Answer(legal_action=chosen.id)
    if isinstance(chosen, v1.Action):
        return v1.Answer(action=chosen)
    raise TypeError(f"choose() has to return a LegalAction, an Action or an Answer, not {type(chosen).__name__}")


def complete(action: v1.LegalAction, random: Random) -> v1.Answer:
    """Return an answer that names a legal action and fills its open parts by chance."""
    answer = v1.Answer(legal_action=action.id)
    if action.HasField("amount"):
        answer.amount = random.randint(action.amount.min, action.amount.max)
    for pick in action.picks:
        answer.cards.extend(random.sample(list(pick.cards), random.randint(pick.min, pick.max)))
    return answer
