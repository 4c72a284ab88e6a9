"""Nothing that a seat is sent in a match of Mittlere Jass depends on what it may not see."""

from collections.abc import Sequence
from random import Random

import pytest
from games.mittlere.table import redeal
from games.noninterference import check_noninterference
from games.properties import repeatably
from hypothesis import given
from hypothesis import strategies as st

from ordago.game import Event, LegalAction, Violation
from ordago.games.mittlere import GAME
from ordago.games.mittlere.rules import MittlereState
from ordago.games.mittlere.values import PLAY, MittlereEvent, MittlereOptions, MittlereView, PlayCard


@pytest.mark.slow
@repeatably
@given(seed=st.integers(min_value=0), deal=st.integers(min_value=0, max_value=11))
def test_nothing_hidden_shows(seed: int, deal: int) -> None:
    start = MittlereState(MittlereOptions(), deal=deal, totals=(1, -2, 1))
    check_noninterference(GAME, start, rng=Random(seed), redeal=redeal, probes=PLAY.values())


class ViewOfANeighbour(MittlereState):
    """Leaks a card of the next seat into the view."""

    def view(self, seat: int) -> MittlereView:
        view = super().view(seat)
        return view._replace(totals=(self.hands[(seat + 1) % 3] % 7, 0, 0))


class TellingRefusal(MittlereState):
    """Leaks into the sentence of a refusal who holds the card."""

    def check(self, action: PlayCard) -> Violation | None:
        violation = super().check(action)
        held_next = self.hands[(self.actor + 1) % 3] >> action.card & 1
        return violation and violation._replace(sentence=f"{violation.sentence} {held_next}")


class TellingOrder(MittlereState):
    """Leaks a card of the next seat into the order of the legal actions."""

    def legal_actions(self) -> Sequence[LegalAction[PlayCard]]:
        legal = super().legal_actions()
        return legal if self.hands[(self.actor + 1) % 3] % 7 < 3 else legal[::-1]


class OpenHands(MittlereState):
    """Deals the hands for everybody to see."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MittlereEvent]]:
        return [Event(event.full) for event in super().supply(cards)]


class TellingDefault(MittlereState):
    """Takes the default action by what the next seat holds."""

    def default_action(self) -> PlayCard:
        legal = self.legal_actions()
        return legal[self.hands[(self.actor + 1) % 3] % 3 % len(legal)].action


@pytest.mark.parametrize("leak", [ViewOfANeighbour, TellingRefusal, TellingOrder, OpenHands, TellingDefault])
def test_each_kind_of_leak_is_noticed(leak: type[MittlereState]) -> None:
    """The property can fail."""
    noticed = 0
    for seed in range(10):
        start = leak(MittlereOptions())
        try:
            check_noninterference(GAME, start, rng=Random(seed), redeal=redeal, probes=PLAY.values())
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= 5
