"""Drawing deals that fit: the seat sees the same, nothing that fits is left out, and all come equally often."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from random import Random

import pytest
from games.mittlere.table import hands_at_first, mid_deal, new_match, redeal

from ordago.cards import card_set, cards_in, count
from ordago.games.mittlere.knowledge import knowledge_of
from ordago.games.mittlere.rules import MittlereState, possible_states
from ordago.games.mittlere.values import PLAY, SEATS

DRAWS_FOR_EACH = 60
"""How often each deal that fits is expected to be drawn."""


@pytest.mark.parametrize("plays", range(36))
def test_a_state_drawn_looks_the_same_to_the_seat(plays: int) -> None:
    for seed in range(5):
        state = mid_deal(seed, plays=plays)
        seat = state.actor
        for drawn in islice(possible_states(state.view(seat), rng=Random(seed)), 3):
            assert drawn.actor == seat
            assert drawn.view(seat) == state.view(seat)
            assert drawn.legal_actions() == state.legal_actions()
            assert [count(hand) for hand in drawn.hands] == [count(hand) for hand in state.hands]


@pytest.mark.parametrize("plays", range(0, 36, 5))
def test_all_that_was_played_is_legal_in_a_state_drawn(plays: int) -> None:
    for seed in range(20):
        state = mid_deal(seed, plays=plays)
        drawn = next(possible_states(state.view(state.actor), rng=Random(seed)))
        assert is_possible(drawn)


def test_a_state_drawn_is_a_whole_state_that_plays_on_to_the_same_end() -> None:
    """Drawn from a view, then given the true hands, a state cannot be told from the true one."""
    for plays in range(36):
        state = mid_deal(11, plays=plays)
        drawn = next(possible_states(state.view(state.actor), rng=Random(1)))
        drawn.hands = list(state.hands)
        for _ in range(36 - plays):
            assert [drawn.view(seat) for seat in range(SEATS)] == [state.view(seat) for seat in range(SEATS)]
            action = state.default_action()
            assert drawn.apply(action) == state.apply(action)


def is_possible(state: MittlereState) -> bool:
    """Say whether a deal in progress can have come about: play it again from its first card on."""
    again = new_match()
    again.supply(redeal(state)[0])
    for card in state.cards:
        if again.check(PLAY[card]) is not None:
            return False
        again.apply(PLAY[card])
    return True


def all_possible(state: MittlereState) -> Iterator[tuple[int, ...]]:
    """Go through all hands that fit what the actor of a state sees: try all, keep those that can have come about."""
    seat, first, second = ((state.actor + place) % SEATS for place in range(SEATS))
    unseen = state.hands[first] | state.hands[second]
    for picked in combinations(cards_in(unseen), count(state.hands[first])):
        hands = [0, 0, 0]
        hands[seat], hands[first] = state.hands[seat], card_set(picked)
        hands[second] = unseen & ~hands[first]
        other = state.clone()
        other.hands = hands
        if is_possible(other):
            yield tuple(hands)


@pytest.mark.slow
@pytest.mark.parametrize("plays", [20, 21, 22, 24, 25, 26, 29, 31])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_deal_that_fits_is_drawn_equally_often(seed: int, plays: int) -> None:
    """A chi-square test: its statistic has mean n - 1 and variance 2 (n - 1) for n deals."""
    state = mid_deal(seed, plays=plays)
    possible = list(all_possible(state))
    draws = islice(possible_states(state.view(state.actor), rng=Random(seed)), DRAWS_FOR_EACH * len(possible))
    drawn = Counter(tuple(other.hands) for other in draws)
    assert set(drawn) == set(possible)
    freedom = len(possible) - 1
    statistic = sum((drawn[hands] - DRAWS_FOR_EACH) ** 2 / DRAWS_FOR_EACH for hands in possible)
    assert statistic <= freedom + 4 * (2 * freedom) ** 0.5


def test_the_frequencies_were_tried_where_play_had_told_something() -> None:
    """At several of these decisions fewer deals fit than there are ways to part the unseen cards."""
    told = 0
    for seed in (1, 2, 3):
        state = mid_deal(seed, plays=20)
        knowledge = knowledge_of(state.view(state.actor))
        told += bool(knowledge.certain[1] or knowledge.certain[2])
    assert told >= 2


def test_the_hands_at_first_are_what_was_dealt() -> None:
    """The helper that other tests rest on."""
    state = mid_deal(4, plays=0)
    dealt = list(state.hands)
    for _ in range(30):
        state.apply(state.default_action())
    assert hands_at_first(state) == dealt
