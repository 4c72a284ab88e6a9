"""The actions of playing a card of a hand, suit by suit: those that follow suit stand ready."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import NO_CARD, TRUMPS, card_set
from ordago.game import LegalAction
from ordago.games.mitigati.pack import CHEAPNESS, NO_SUIT, PACK, SUIT, cards_of
from ordago.games.mitigati.values import CARD, CARD_PLACE, MitigatiAction

_LEGAL: Final = tuple([LegalAction(CARD[card]) for card in (PACK[0], *PACK)])
"""The legal action of playing each card, one object for each, so that none has to be made; at ``NO_CARD`` no matter."""


_DIGIT: Final = 5
"""How many bits a place in a hand takes: there are 25 cards in one that is played."""
_PLACE: Final = (1 << _DIGIT) - 1


def _behind(suit: int) -> int:
    """Return by how much a card moves the places where the suits begin that stand behind its own."""
    return sum([1 << _DIGIT * later for later in range(suit + 1, NO_SUIT + 1)])


_BEHIND: Final = tuple([_behind(suit) for suit in range(NO_SUIT + 1)])


class Choices:
    """What a seat may choose from while it plays the cards of a hand."""

    __slots__ = ("_actions", "_begins", "_cards")

    def __init__(self, hand: int) -> None:
        """Begin with a hand, a set of cards."""
        actions: list[LegalAction[MitigatiAction]] = []
        begins = 0
        for card in cards_of(hand):
            actions.append(_LEGAL[card])
            begins += _BEHIND[SUIT[card]]
        self._actions = actions
        """That of each card of the hand, ascending."""
        self._begins = begins
        """The places where its suits begin, the trumps and the Fool among them, as the digits of one number."""
        self._cards: tuple[int, ...] = ()
        """The cards as they were asked for; empty while nobody has asked."""

    def __reduce__(self) -> tuple[type["Choices"], tuple[int]]:
        """Return how a copy is made: of the same legal actions, which are known by their identity."""
        return Choices, (card_set(self.cards()),)

    def cards(self) -> tuple[int, ...]:
        """Return the cards of the hand, ascending."""
        if not self._cards:
            self._cards = tuple([action[CARD_PLACE] for action, _, _ in self._actions])
        return self._cards

    def legal(self, suit: int) -> Sequence[LegalAction[MitigatiAction]]:
        """Return the actions that are legal, ascending, when a suit was led, or ``NO_SUIT``."""
        if suit != NO_SUIT and (bound := self._of_suit(suit) or self._of_suit(TRUMPS)):
            if self._begins >> _DIGIT * NO_SUIT < len(self._actions):
                bound.append(self._actions[-1])  # The Fool goes with any suit.
            return tuple(bound)
        return tuple(self._actions)

    def _of_suit(self, suit: int) -> list[LegalAction[MitigatiAction]]:
        begins = self._begins >> _DIGIT * suit
        return self._actions[begins & _PLACE : begins >> _DIGIT & _PLACE]

    def cheapest(self, suit: int, *, round_suits: bool) -> MitigatiAction:
        """Return the action of the legal card that comes first in ``CHEAPEST_FIRST``, when a suit was led, or none."""
        legal, cards, place = self.legal(suit), self.cards(), CHEAPNESS[round_suits]
        if len(legal) < len(cards):
            cards = tuple([action[CARD_PLACE] for action, _, _ in legal])
        best = NO_CARD
        for card in cards:
            if place[card] < place[best]:
                best = card
        return CARD[best]

    def play(self, card: int) -> None:
        """Let a card go."""
        actions, played, suit = self._actions, _LEGAL[card], SUIT[card]
        place = self._begins >> _DIGIT * suit & _PLACE
        while actions[place] is not played:
            place += 1
        actions.pop(place)
        self._begins -= _BEHIND[suit]
        if self._cards:
            self._cards = self._cards[:place] + self._cards[place + 1 :]
