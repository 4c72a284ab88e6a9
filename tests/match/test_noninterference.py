"""What a match sends to a seat depends on nothing that the seat may not see: compared byte by byte, as it is sent."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest
from games.mittlere.table import new_match, redeal
from games.noninterference import Step, play_deal
from hypothesis import given, settings
from hypothesis import strategies as st
from support.matches import match_terms
from support.players import FakePlayer, Thought, play_match

from ordago import v1
from ordago.chance import ScriptedDeals
from ordago.games.mittlere import GAME
from ordago.games.mittlere.pack import PACK
from ordago.games.mittlere.rules import MittlereState, possible_states
from ordago.games.mittlere.values import PLAY

ENOUGH_STRIKES = 2 * len(PACK)


class _EnoughSeenError(Exception):
    """What was to be compared was sent."""


class Table:
    """A match whose players do what is written down for the deal, up to the decision after that."""

    def __init__(self, steps: Sequence[Step], *, watched: int) -> None:
        self._script = deque(step.action for step in steps if step.action is not None)
        self._watched = watched

    def told(self, shuffled: Sequence[int]) -> list[bytes]:
        """Return all that the watched seat is sent when the cards are dealt so."""
        players = [FakePlayer(self._probing if seat == self._watched else self._next, thinks=0.01) for seat in range(3)]
        terms = match_terms(source=ScriptedDeals({(0, 0): shuffled}), strikes=ENOUGH_STRIKES)
        with suppress(_EnoughSeenError):
            play_match(terms, players)
        return [message.SerializeToString() for message in players[self._watched].told]

    def _next(self, decision: v1.Decision, _refusals: object = ()) -> Thought:
        answer = v1.Answer(action=GAME.codec.action(self._script.popleft()))
        # What is the default is sometimes left to the server, so that what it says of that is compared as well.
        return None if decision.number % 2 and answer == decision.default_answer else answer

    def _probing(self, decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
        """Try every card that is illegal before the one that is written down."""
        legal = {action.action.mittlere.card for action in decision.actions}
        illegal = [card for card in PACK if card not in legal]
        if len(refusals) < len(illegal):
            return v1.Answer(action=GAME.codec.action(PLAY[illegal[len(refusals)]]))
        if self._script:
            return self._next(decision)
        raise _EnoughSeenError


def some_of_a_deal(rng: Random) -> tuple[list[Step], MittlereState]:
    """Return the steps up to some decision of the first deal, and the state there."""
    steps = play_deal(new_match(deals=3), rng=rng)
    steps = steps[: rng.randrange(1, len(steps))]
    state = new_match(deals=3)
    for step in steps:
        if step.shuffled is not None:
            state.supply(step.shuffled)
        else:
            state.apply(step.action)  # type: ignore[arg-type]  # the actions of Mittlere
    return steps, state


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_another_deal_that_looks_the_same_is_told_the_same(seed: int) -> None:
    rng = Random(seed)
    steps, state = some_of_a_deal(rng)
    seat = state.actor
    other = next(possible_states(state.view(seat), rng=rng))
    [shuffled] = redeal(state)
    [shuffled_otherwise] = redeal(other)  # type: ignore[arg-type]  # a state of Mittlere
    told = Table(steps, watched=seat).told(shuffled)
    told_otherwise = Table(steps, watched=seat).told(shuffled_otherwise)
    assert told == told_otherwise
    assert len(told) > len(PACK) - 12, "at least the probes of one decision were compared"


def test_the_comparison_can_tell_deals_apart() -> None:
    """A deal in which the watched seat itself holds other cards is told otherwise."""
    steps = play_deal(new_match(deals=3), rng=Random(1))[:1]
    shuffled = list(steps[0].shuffled or ())
    told = Table(steps, watched=0).told(shuffled)
    told_otherwise = Table(steps, watched=0).told(shuffled[::-1])
    assert told != told_otherwise
