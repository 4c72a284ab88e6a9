"""High Card for the tests of all games: random play, and shuffles that lead to a state."""

from games.noninterference import Ways
from ordago.cards import cards_in

from ordago_highcard.rules import HAND, PACK, HighcardState
from ordago_highcard.values import PlayCard


def redeal(state: HighcardState) -> list[list[int]]:
    """Return the one shuffle that leads to a deal in progress."""
    dealt: list[int] = []
    for seat, hand in enumerate(state.hands):
        dealt += [*cards_in(hand), *(play.card for play in state.plays if play.seat == seat)]
    assert len(dealt) == HAND * len(state.hands)
    return [[*dealt, *(card for card in PACK if card not in dealt)]]


WAYS = Ways(tuple(map(PlayCard, PACK)), options=({"deals": 2},), redeal=redeal)
"""Actions to try, legal or not, options, and shuffles that lead to a state."""
