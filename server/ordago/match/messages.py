"""From the values of a game to the messages of a decision."""

from collections.abc import Hashable
from functools import lru_cache
from typing import cast

from ordago import v1
from ordago.game import LegalAction
from ordago.games import find_game

_CACHED_ACTIONS = 16_384


@lru_cache(maxsize=_CACHED_ACTIONS)
def legal_action_message(game: str, number: int, legal: LegalAction[Hashable]) -> v1.LegalAction:
    """Return the message of a legal action of a game, by its short name. It is shared: do not change it."""
    message = v1.LegalAction(id=number, action=find_game(game).codec.action(legal.action))
    if legal.amount is not None:
        message.amount.min, message.amount.max = legal.amount
    for pick in legal.picks:
        # A card of the engine is the number of the card in the contract.
        message.picks.add(cards=cast(tuple[v1.Card, ...], pick.cards), min=pick.min, max=pick.max)
    return message


@lru_cache(maxsize=_CACHED_ACTIONS)
def typed_answer(game: str, action: Hashable) -> v1.Answer:
    """Return the answer that names a complete action of a game by its type. It is shared: do not change it."""
    return v1.Answer(action=find_game(game).codec.action(action))
