"""The legal actions as they are put before a player.

A combination that a hand can form in one way only is offered as a complete action. Where the hand leaves a choice
between suits, the cards are open: a group to pick from stands for each rank, and every pick is legal.
"""

from functools import lru_cache
from typing import Final, TypeAlias

from ordago.cards import count
from ordago.game import LegalAction, Pick
from ordago.games.taihe.combinations import CARDS_OF, COMBINATIONS
from ordago.games.taihe.members import TO_PLAY
from ordago.games.taihe.pack import CARDS_OF_RANK, HAND_CARDS
from ordago.games.taihe.values import DECLARE, PASS, ActionKind, TaiheAction
from ordago.tuples import made

_CACHED: Final = 1 << 15

PASS_OFFER: Final = LegalAction(PASS)
DECLARE_OFFER: Final = LegalAction(DECLARE)
_OPEN_ASK: Final = TaiheAction(ActionKind.ASK)
_OPEN_GIVE_BACK: Final = TaiheAction(ActionKind.GIVE_BACK)
_OPEN_PLAY: Final = TaiheAction(ActionKind.PLAY)


def ask_offer(cards: int) -> LegalAction[TaiheAction]:
    """Return the offer to ask for one card of a set."""
    return LegalAction(_OPEN_ASK, picks=(Pick(HAND_CARDS[cards], 1, 1),))


def give_back_offer(cards: int) -> LegalAction[TaiheAction]:
    """Return the offer to give back one card of a set."""
    return LegalAction(_OPEN_GIVE_BACK, picks=(Pick(HAND_CARDS[cards], 1, 1),))


@lru_cache(maxsize=_CACHED)
def play_of(cards: int) -> TaiheAction:
    """Return the action of playing the cards of a set."""
    return TaiheAction(TO_PLAY, cards=HAND_CARDS[cards])


def _play_offer(number: int, held: int) -> LegalAction[TaiheAction]:
    """Return the offer to play a combination from the cards of its ranks that a hand holds."""
    combination = COMBINATIONS[number]
    if count(held) == combination.size:
        return LegalAction(play_of(held))
    each = combination.each
    picks = [made(Pick, (HAND_CARDS[held & CARDS_OF_RANK[rank]], each, each)) for rank in combination.ranks]
    return made(LegalAction, (_OPEN_PLAY, None, tuple(picks)))


@lru_cache(maxsize=_CACHED)
def _row_offer(number: int, held: int) -> LegalAction[TaiheAction]:
    """Return the offer to play a sequence: of what is held of its ranks there are too many ways for a table."""
    return _play_offer(number, held)


OffersByCards: TypeAlias = dict[int, LegalAction[TaiheAction]]
"""The offers to play a combination by the cards of its ranks that are held."""


def _offers_of_a_rank(number: int) -> OffersByCards:
    """Return the offers to play a combination of a single rank; none if it has more ranks."""
    combination = COMBINATIONS[number]
    if len(combination.ranks) > 1:
        return {}
    held = [0]
    for card in HAND_CARDS[CARDS_OF[number]]:
        held += [cards | 1 << card for cards in held]
    return {cards: _play_offer(number, cards) for cards in held if count(cards) >= combination.size}


_OF_BIT: Final[dict[int, tuple[int, int, OffersByCards]]] = {
    1 << number: (number, cards, _offers_of_a_rank(number)) for number, cards in enumerate(CARDS_OF)
}
"""Each combination by its bit in a set: its number, the cards of its ranks, and its offers if it has a single rank."""


def play_offers(combinations: int, hand: int) -> list[LegalAction[TaiheAction]]:
    """Return the offers to play each combination of a set from a hand that can form them, ascending by number."""
    offers = []
    while combinations:
        lowest = combinations & -combinations
        number, cards, of_rank = _OF_BIT[lowest]
        held = hand & cards
        offers.append(of_rank[held] if of_rank else _row_offer(number, held))
        combinations ^= lowest
    return offers
