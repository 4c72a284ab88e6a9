"""From the values of a game to the messages of a decision."""

from collections.abc import Hashable
from typing import cast

from ordago import v1
from ordago.game import LegalAction
from ordago.games.folder import AnyGame


def legal_action_message(game: AnyGame, number: int, legal: LegalAction[Hashable]) -> v1.LegalAction:
    """Return the message of a legal action, which has this number in its decision."""
    message = v1.LegalAction(id=number, action=game.codec.action(legal.action))
    if legal.amount is not None:
        message.amount.min, message.amount.max = legal.amount
    for pick in legal.picks:
        # A card of the engine is the number of the card in the contract.
        message.picks.add(cards=cast(tuple[v1.Card, ...], pick.cards), min=pick.min, max=pick.max)
    return message


def typed_answer(game: AnyGame, action: Hashable) -> v1.Answer:
    """Return the answer that names a complete action by its type."""
    return v1.Answer(action=game.codec.action(action))
