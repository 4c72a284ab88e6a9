"""Nothing that a seat is sent in a match of Mitigati depends on what it may not see."""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from games.mitigati.table import PROBES, any_action, any_card, reenact
from games.noninterference import check_noninterference
from games.properties import repeatably
from hypothesis import given
from hypothesis import strategies as st

from ordago.game import Event, LegalAction, Violation
from ordago.games.mitigati import GAME
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    MitigatiAction,
    MitigatiEvent,
    MitigatiOptions,
    MitigatiView,
    Phase,
)


def check(start: MitigatiState, *, seed: int, choose: Callable[[MitigatiState, Random], MitigatiAction]) -> None:
    check_noninterference(GAME, start, rng=Random(seed), reenact=reenact, probes=PROBES, choose=choose)


def before_deal(turn: int, *, kind: type[MitigatiState] = MitigatiState) -> MitigatiState:
    state = kind(MitigatiOptions(rounds=2))
    state.turn, state.struck, state.deals_played, state.chips = turn, 1, turn, (5, -9, 4)
    state.begin_deal(turn + 1)
    return state


@pytest.mark.slow
@repeatably
@given(seed=st.integers(min_value=0), turn=st.integers(min_value=0, max_value=5))
def test_nothing_hidden_shows_in_bargains(seed: int, turn: int) -> None:
    check(before_deal(turn), seed=seed, choose=any_action)


@pytest.mark.slow
@repeatably
@given(seed=st.integers(min_value=0), turn=st.integers(min_value=0, max_value=5))
def test_nothing_hidden_shows_in_a_deal_that_is_played(seed: int, turn: int) -> None:
    check(before_deal(turn), seed=seed, choose=any_card)


class ViewOfADiscard(MitigatiState):
    """Leaks something of the discard into the views of all."""

    def view(self, seat: int) -> MitigatiView:
        return super().view(seat)._replace(struck=self.discard % 7)


class ViewOfTheStock(MitigatiState):
    """Leaks the next card to be dealt into the view."""

    def view(self, seat: int) -> MitigatiView:
        view = super().view(seat)
        return view._replace(struck=self.stock[0]) if self.stock else view


class TellingRefusal(MitigatiState):
    """Leaks into the sentence of a refusal who holds the card."""

    def check(self, action: MitigatiAction) -> Violation | None:
        violation = super().check(action)
        held_next = self.hands[(self.actor + 1) % 3] >> action.card & 1
        return violation and violation._replace(sentence=f"{violation.sentence} {held_next}")


class TellingOrder(MitigatiState):
    """Leaks a card of the next seat into the order of the legal actions."""

    def legal_actions(self) -> Sequence[LegalAction[MitigatiAction]]:
        legal = super().legal_actions()
        return legal if self.hands[(self.actor + 1) % 3] % 7 < 3 else legal[::-1]


class OpenCards(MitigatiState):
    """Deals, and lays away, for everybody to see."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MitigatiEvent]]:
        return [Event(event.full) for event in super().supply(cards)]


class OpenDiscard(MitigatiState):
    """Lays away for everybody to see."""

    def apply(self, action: MitigatiAction) -> Sequence[Event[MitigatiEvent]]:
        events = super().apply(action)
        return [Event(event.full) for event in events] if self.discard and not self.cards else events


class TellingDefault(MitigatiState):
    """Takes the default action by what the next seat holds."""

    def default_action(self) -> MitigatiAction:
        if self.phase is not Phase.TRICKS:
            return super().default_action()
        legal = self.legal_actions()
        return legal[self.hands[(self.actor + 1) % 3] % 3 % len(legal)].action


@pytest.mark.slow
@pytest.mark.parametrize(
    "leak",
    [ViewOfADiscard, ViewOfTheStock, TellingRefusal, TellingOrder, OpenCards, OpenDiscard, TellingDefault],
)
def test_each_kind_of_leak_is_noticed(leak: type[MitigatiState]) -> None:
    """The property can fail."""
    noticed = 0
    for seed in range(20):
        choose = any_action if leak is ViewOfTheStock else any_card
        try:
            check(before_deal(0, kind=leak), seed=seed, choose=choose)
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= 5
