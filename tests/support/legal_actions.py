"""The message of a legal action as protobuf puts it together, for comparison."""

from collections.abc import Hashable

from ordago import v1
from ordago.game import LegalAction
from ordago.games.definition import AnyGame


def legal_action_message(game: AnyGame, number: int, legal: LegalAction[Hashable]) -> v1.LegalAction:
    """Return the message of a legal action, which has this number in its decision."""
    message = v1.LegalAction(id=number, action=game.codec.action(legal.action))
    if legal.amount is not None:
        message.amount.min, message.amount.max = legal.amount
    for pick in legal.picks:
        message.picks.add(cards=pick.cards, min=pick.min, max=pick.max)  # type: ignore[arg-type]  # the same numbers
    return message
