"""Messages to a seat in a match of High Card do not depend on cards that it may not see."""

from random import Random

import pytest
from games.highcard.table import WAYS, redeal
from games.noninterference import check_noninterference

from ordago_highcard import GAME
from ordago_highcard.rules import RULES, HighcardState
from ordago_highcard.values import HighcardOptions, HighcardView


@pytest.mark.parametrize("seats", RULES.seat_counts)
def test_nothing_hidden_shows(seats: int) -> None:
    for seed in range(50):
        start = HighcardState(HighcardOptions(deals=1), seats=seats)
        check_noninterference(GAME, start, rng=Random(seed), redeal=redeal, probes=WAYS.probes)


class ViewOfANeighbour(HighcardState):
    """A match with a leak: the view contains a trace of the next seat's hand."""

    def view(self, seat: int) -> HighcardView:
        view = super().view(seat)
        return view._replace(totals=(self.hands[(seat + 1) % len(self.hands)] % 7, *view.totals[1:]))


def test_a_leak_is_noticed() -> None:
    """The check can fail, except in a game that hides no cards, such as one for two that deals all of them."""
    noticed = 0
    for seed in range(20):
        start = ViewOfANeighbour(HighcardOptions(deals=1), seats=RULES.seat_counts[-1])
        try:
            check_noninterference(GAME, start, rng=Random(seed), redeal=redeal, probes=WAYS.probes)
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= 10
