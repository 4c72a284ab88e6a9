"""The legal actions as they are offered to a player.

A combination that a hand can form in one way only is offered as a complete action. Where the hand leaves a choice
between suits, the cards are open: there is a group to pick from for each rank, and every pick is legal.
"""

from functools import lru_cache
from typing import Final

from ordago.cards import count
from ordago.game import LegalAction, Pick
from ordago.games.taihe.combinations import CARDS_OF, COMBINATIONS
from ordago.games.taihe.members import TO_PLAY
from ordago.games.taihe.pack import CARDS_OF_RANK, HAND_CARDS, parts_of
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, TaiheAction

_CACHED: Final = 1 << 15
"""The number of plays that are kept. It only bounds the memory."""

PASS_OFFER: Final = LegalAction(PASS)
DECLARE_OFFER: Final = LegalAction(DECLARE)
_OPEN_ASK: Final = TaiheAction(ActionKind.ASK)
_OPEN_GIVE_BACK: Final = TaiheAction(ActionKind.GIVE_BACK)
_OPEN_PLAY: Final = TaiheAction(ActionKind.PLAY)


def ask_offer(cards: int) -> LegalAction[TaiheAction]:
    """Return the offer to ask for one card of a set."""
    return _offer_of_one(_OPEN_ASK, cards)


def give_back_offer(cards: int) -> LegalAction[TaiheAction]:
    """Return the offer to give back one card of a set."""
    return _offer_of_one(_OPEN_GIVE_BACK, cards)


def _offer_of_one(action: TaiheAction, cards: int) -> LegalAction[TaiheAction]:
    return LegalAction(action, picks=(Pick(HAND_CARDS[cards], 1, 1),))


@lru_cache(maxsize=_CACHED)
def play_of(cards: int) -> TaiheAction:
    """Return the action of playing the cards of a set."""
    return TaiheAction(TO_PLAY, cards=HAND_CARDS[cards])


_PARTS_OF_RANKS: Final = [part for cards in CARDS_OF_RANK.values() for part in parts_of(cards)]
_PICKS: Final = {
    each: {part: Pick(HAND_CARDS[part], each, each) for part in _PARTS_OF_RANKS if count(part) >= each}
    for each in range(1, 5)
}
"""The picks from the cards of a rank, by the number to pick and the set of cards held."""


class _Offers:
    """The offers to play a combination.

    Attributes:
        cards: all cards of its ranks.
        known: offers by the cards that are held of its ranks. Those of a sequence that leave a choice are not among
            them: they are too many, and hardly ever the same twice.
    """

    __slots__ = ("_picks", "_ranks", "_size", "cards", "known")

    def __init__(self, number: int) -> None:
        combination = COMBINATIONS[number]
        self.cards = CARDS_OF[number]
        self.known: dict[int, LegalAction[TaiheAction]] = {}
        self._size = combination.size
        self._ranks = [CARDS_OF_RANK[rank] for rank in combination.ranks]
        self._picks = _PICKS[combination.each]
        if len(self._ranks) == 1:
            self.known |= {held: self.of(held) for held in parts_of(self.cards) if count(held) >= self._size}

    def of(self, held: int) -> LegalAction[TaiheAction]:
        """Return the offer of the combination for a hand with these cards of its ranks, on a miss of ``known``."""
        if count(held) == self._size:
            offer = self.known[held] = LegalAction(play_of(held))
            return offer
        picks = self._picks
        return LegalAction(_OPEN_PLAY, picks=tuple([picks[held & cards] for cards in self._ranks]))


def _offers_by_byte() -> list[list[list[_Offers]]]:
    """Return the combinations of any set by each of its bytes: by its place, from the lowest on, and by its value."""
    offers = [_Offers(number) for number in range(len(COMBINATIONS))]
    eights = [offers[first : first + 8] for first in range(0, len(offers), 8)]
    return [[[each for bit, each in enumerate(eight) if byte >> bit & 1] for byte in range(256)] for eight in eights]


_OFFERS: Final = _offers_by_byte()


def play_offers(combinations: int, hand: int) -> list[LegalAction[TaiheAction]]:
    """Return the offers to play each combination of a set from a hand that can form them, ascending by number."""
    offers: list[LegalAction[TaiheAction]] = []
    for place, byte in enumerate(combinations.to_bytes(len(_OFFERS), "little")):
        if byte:
            for each in _OFFERS[place][byte]:
                held = hand & each.cards
                known = each.known.get(held)
                offers.append(each.of(held) if known is None else known)
    return offers
