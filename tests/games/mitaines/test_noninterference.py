"""Nothing that a seat is sent in a match of Mitaines depends on what it may not see."""

from collections.abc import Sequence
from random import Random

import pytest
from games.mitaines.table import PROBES, declaring_often, redeal
from games.noninterference import check_noninterference
from games.properties import repeatably
from hypothesis import given
from hypothesis import strategies as st

from ordago.game import Event, LegalAction, Violation
from ordago.games.mitaines import GAME
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import MitainesEvent, MitainesOptions, MitainesView, PlayCard


def check(state: MitainesState, *, seed: int) -> None:
    check_noninterference(GAME, state, rng=Random(seed), redeal=redeal, probes=PROBES, choose=declaring_often)


@pytest.mark.slow
@repeatably
@given(seed=st.integers(min_value=0), seats=st.sampled_from([2, 3, 4]), deal=st.integers(min_value=0, max_value=9))
def test_nothing_hidden_shows(seed: int, seats: int, deal: int) -> None:
    totals = [60, 110] * 2 if seats == 4 else [60, 110, 0][:seats]
    check(MitainesState(MitainesOptions(), seats=seats, deal=deal, totals=totals), seed=seed)


class ViewOfANeighbour(MitainesState):
    """Leaks a card of the next seat into the view."""

    def view(self, seat: int) -> MitainesView:
        view = super().view(seat)
        return view._replace(stock=view.stock + self.hands[(seat + 1) % self.seats] % 7)


class ViewOfTheStock(MitainesState):
    """Leaks the next card of the stock into the view."""

    def view(self, seat: int) -> MitainesView:
        return super().view(seat)._replace(clears=tuple(card % 7 for card in self.stock[:1]))


class TellingRefusal(MitainesState):
    """Leaks into the sentence of a refusal who holds the card."""

    def check(self, action: PlayCard) -> Violation | None:
        violation = super().check(action)
        held_next = self.hands[(self.actor + 1) % self.seats] >> action.card & 1
        return violation and violation._replace(sentence=f"{violation.sentence} {held_next}")


class TellingOrder(MitainesState):
    """Leaks a card of the next seat into the order of the legal actions."""

    def legal_actions(self) -> Sequence[LegalAction[PlayCard]]:
        legal = super().legal_actions()
        return legal if self.hands[(self.actor + 1) % self.seats] % 7 < 3 else legal[::-1]


class OpenHands(MitainesState):
    """Deals the hands for everybody to see, those from the stock too."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MitainesEvent]]:
        return [Event(event.full) for event in super().supply(cards)]

    def apply(self, action: PlayCard) -> Sequence[Event[MitainesEvent]]:
        return [Event(event.full) for event in super().apply(action)]


class TellingDefault(MitainesState):
    """Takes the default action by what the next seat holds."""

    def default_action(self) -> PlayCard:
        legal = self.legal_actions()
        return legal[self.hands[(self.actor + 1) % self.seats] % 3 % len(legal)].action


@pytest.mark.parametrize(
    "leak", [ViewOfANeighbour, ViewOfTheStock, TellingRefusal, TellingOrder, OpenHands, TellingDefault]
)
def test_each_kind_of_leak_is_noticed(leak: type[MitainesState]) -> None:
    """The property can fail."""
    noticed = 0
    for seed in range(10):
        try:
            check(leak(MitainesOptions(), seats=2 + seed % 3), seed=seed)
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= 4
