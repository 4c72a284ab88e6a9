"""The actions of playing a card of a hand, suit by suit: what follows suit then takes no more than a look."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import cards_in
from ordago.game import LegalAction
from ordago.games.mitigati.pack import ALL_TRUMPS, HALVES, LOWER_HALVES, SUIT_CARDS, SUIT_OF, THE_FOOL
from ordago.games.mitigati.values import CARD, MitigatiAction

Legal = tuple[LegalAction[MitigatiAction], ...]
"""Some actions of playing a card, ascending."""

_LEGAL: Final = {card: LegalAction(action) for card, action in CARD.items()}
"""The legal action of playing each card, one object for each, so that none has to be made during play."""


def _legal_of_parts() -> dict[int, Legal]:
    """Return the actions of playing a card of any part of a half of a suit."""
    legal: dict[int, Legal] = {0: ()}
    for half in HALVES:
        parts: list[int] = [0]
        for card in cards_in(half):
            legal |= {part | 1 << card: (*legal[part], _LEGAL[card]) for part in parts}
            parts += [part | 1 << card for part in parts]
    return legal


_LEGAL_OF_PART: Final = _legal_of_parts()


class Choices:
    """What a seat may choose from while it plays the cards of a hand."""

    __slots__ = ("_of_suit",)

    def __init__(self, hand: int) -> None:
        """Begin with a hand, a set of cards."""
        lower, rest = hand & LOWER_HALVES, hand & ~LOWER_HALVES
        part = _LEGAL_OF_PART
        self._of_suit = {suit: part[lower & suit] + part[rest & suit] for suit in (*SUIT_CARDS, THE_FOOL)}

    def legal(self, led: int) -> Sequence[LegalAction[MitigatiAction]]:
        """Return the actions that are legal, ascending, when the suit of these cards was led; empty for none."""
        of_suit = self._of_suit
        bound = led and (of_suit[led] or of_suit[ALL_TRUMPS])
        if not bound:
            return sum(of_suit.values(), ())
        fool = of_suit[THE_FOOL]
        return bound + fool if fool else bound

    def play(self, card: int) -> None:
        """Let a card go."""
        suit, played = SUIT_OF[card], _LEGAL[card]
        self._of_suit[suit] = tuple([legal for legal in self._of_suit[suit] if legal is not played])
