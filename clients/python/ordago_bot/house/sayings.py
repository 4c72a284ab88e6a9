"""An action in words, as an analysis tells it."""

from collections.abc import Hashable, Iterator
from typing import Any, Final

from ordago.cards import signs
from ordago.game import LegalAction
from ordago.games.definition import AnyGame

_OPEN: Final = "…"
"""What the words of an offer end with that leaves something to be said."""


def words_of(game: AnyGame, action: Hashable) -> str:
    """Return a complete action in the words in which it is offered to a person, what he fills in included."""
    offered = _offered(game, action)
    if not offered.endswith(_OPEN):
        return offered
    return " ".join([offered.removesuffix(_OPEN), *_filled_in(action)])


def _offered(game: AnyGame, action: Hashable) -> str:
    return game.staging.offer(LegalAction(action)).sentence.written()


def _filled_in(action: Any) -> Iterator[str]:  # noqa: ANN401 - of any game
    amount = getattr(action, "amount", None)
    if amount:
        yield f"{amount}".replace("-", "−")
    card, cards = getattr(action, "card", 0), getattr(action, "cards", ())
    if card or cards:
        yield signs([card] if card else cards)
