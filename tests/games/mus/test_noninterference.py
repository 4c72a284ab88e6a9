"""Nothing that a seat is sent in a match of Mus depends on what it may not see."""

from collections.abc import Sequence
from random import Random

import pytest
from games.mus.table import PROBES, actions_of, new_match, redeal, willing
from games.noninterference import check_noninterference
from games.properties import repeatably
from hypothesis import given
from hypothesis import strategies as st

from ordago.cards import cards_in
from ordago.game import Event, LegalAction, Violation
from ordago.games.mus import GAME
from ordago.games.mus.rules import RULES
from ordago.games.mus.state import MusState
from ordago.games.mus.values import MusAction, MusEvent, MusView


@pytest.mark.slow
@repeatably
@given(
    seed=st.integers(min_value=0),
    deal=st.integers(min_value=0, max_value=3),
    signals=st.sampled_from(["off", "partner", "open"]),
    kings=st.sampled_from([8, 4]),
)
def test_nothing_hidden_shows(seed: int, deal: int, signals: str, kings: int) -> None:
    start = new_match(signals=signals, kings=kings)
    for _ in range(deal):
        start.scoreboard = start.scoreboard.next_deal()
    start._begin_deal()
    check(start, seed)


def check(start: MusState, seed: int) -> None:
    check_noninterference(
        GAME,
        start,
        rng=Random(seed),
        redeal=redeal,
        probes=PROBES,
        choose=willing,
        redo=lambda other, _actions: actions_of(other),
    )


def held_next(state: MusState) -> int:
    """Return something about the hand of the seat after the actor."""
    return sum(cards_in(state.holdings.hands[(state.actor + 1) % 4])) % 7


class ViewOfANeighbour(MusState):
    """Leaks something about the hand of the next seat into the view."""

    def view(self, seat: int) -> MusView:
        return super().view(seat)._replace(stock=held_next(self))


class TellingRefusal(MusState):
    """Leaks it into the sentence of a refusal."""

    def check(self, action: MusAction) -> Violation | None:
        violation = super().check(action)
        return violation and violation._replace(sentence=f"{violation.sentence} {held_next(self)}")


class TellingOrder(MusState):
    """Leaks it into the order of the legal actions."""

    def legal_actions(self) -> Sequence[LegalAction[MusAction]]:
        legal = super().legal_actions()
        return legal if held_next(self) < 3 else legal[::-1]


class OpenHands(MusState):
    """Deals the hands, and what is discarded and drawn, for everybody to see."""

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MusEvent]]:
        return [Event(event.full) for event in super().supply(cards)]


class TellingDefault(MusState):
    """Takes the default action by it."""

    def default_action(self) -> MusAction:
        legal = self.legal_actions()
        return legal[held_next(self) % len(legal)].action


LEAKS = [ViewOfANeighbour, TellingRefusal, TellingOrder, OpenHands, TellingDefault]


# True signals tie the hands of the others down, so fewer deals are left that could be told apart.
@pytest.mark.parametrize(("signals", "seeds", "least"), [("off", 10, 6), ("partner", 20, 6)])
@pytest.mark.parametrize("leak", LEAKS)
def test_each_kind_of_leak_is_noticed(leak: type[MusState], signals: str, seeds: int, least: int) -> None:
    """The property can fail."""
    noticed = 0
    for seed in range(seeds):
        start = leak(RULES.options({"signals": signals}))
        try:
            check(start, seed)
        except AssertionError as error:
            noticed += "can tell two deals apart" in str(error)
    assert noticed >= least
