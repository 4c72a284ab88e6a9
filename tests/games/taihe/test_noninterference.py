"""Nothing that a seat is sent in a match of Taihe A Bao depends on what it may not see."""

from collections.abc import Sequence
from random import Random

import pytest
from games.noninterference import check_noninterference
from games.properties import repeatably
from games.taihe.table import PROBES, Temperament, exchanging, mixed, redeal, redo
from hypothesis import given
from hypothesis import strategies as st

from ordago.cards import NO_CARD
from ordago.game import Event, LegalAction, Violation
from ordago.games.taihe import GAME
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import (
    ActionKind,
    EventKind,
    TaiheAction,
    TaiheEvent,
    TaiheOptions,
    TaiheView,
)


@pytest.mark.slow
@pytest.mark.parametrize("choose", [mixed, exchanging])
@repeatably
@given(seed=st.integers(min_value=0), deal=st.integers(min_value=0, max_value=2), seats=st.sampled_from([3, 4, 5]))
def test_nothing_hidden_shows(choose: Temperament, seed: int, deal: int, seats: int) -> None:
    start = TaiheState(TaiheOptions(), totals=(0,) * seats, deal=deal, taker=1)
    check_noninterference(GAME, start, rng=Random(seed), redeal=redeal, probes=PROBES, choose=choose, redo=redo)


def neighbours_hand(state: TaiheState) -> int:
    return state.hands[(state.actor + 1) % state.seats]


class ViewOfANeighbour(TaiheState):
    """Leaks a card of the next seat into the view."""

    def view(self, seat: int) -> TaiheView:
        return super().view(seat)._replace(totals=(neighbours_hand(self) % 7, 0, 0, 0))


class OpenExchanges(TaiheState):
    """Shows the cards given back in the view."""

    def view(self, seat: int) -> TaiheView:
        return super().view(seat)._replace(exchanges=tuple(self.exchanges))


class OpenGiving(TaiheState):
    """Tells everybody the cards given back."""

    def apply(self, action: TaiheAction) -> Sequence[Event[TaiheEvent]]:
        return [
            Event(event.full) if event.full.kind is EventKind.GAVE_BACK else event for event in super().apply(action)
        ]


class TellingRefusal(TaiheState):
    """Leaks into the sentence of a refusal who holds the card."""

    def check(self, action: TaiheAction) -> Violation | None:
        violation = super().check(action)
        held_next = neighbours_hand(self) >> max(action.card, *action.cards, NO_CARD) & 1
        return violation and violation._replace(sentence=f"{violation.sentence} {held_next}")


class TellingOrder(TaiheState):
    """Leaks a card of the next seat into the order of the legal actions."""

    def legal_actions(self) -> Sequence[LegalAction[TaiheAction]]:
        legal = super().legal_actions()
        return legal if neighbours_hand(self) % 7 < 3 else legal[::-1]


class OpenHands(TaiheState):
    """Deals the hands for everybody to see."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[TaiheEvent]]:
        return [Event(event.full) for event in super().supply(cards)]


class TellingDefault(TaiheState):
    """Takes the default action by what the next seat holds."""

    def default_action(self) -> TaiheAction:
        return TaiheAction(ActionKind.ASK, card=PACK[neighbours_hand(self) % 7])


LEAKS = [ViewOfANeighbour, OpenExchanges, OpenGiving, TellingRefusal, TellingOrder, OpenHands, TellingDefault]


@pytest.mark.slow
@pytest.mark.parametrize("leak", LEAKS)
def test_each_kind_of_leak_is_noticed(leak: type[TaiheState]) -> None:
    """The property can fail."""
    noticed = 0
    for seed in range(15):
        start = leak(TaiheOptions(), totals=(0, 0, 0, 0))
        try:
            check_noninterference(
                GAME, start, rng=Random(seed), redeal=redeal, probes=PROBES, choose=exchanging, redo=redo
            )
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= 5
