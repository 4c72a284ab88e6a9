"""Imagined deals are kept by their likelihood, and the likelihoods of the games tell more than even draws do."""

from collections import Counter
from itertools import islice, repeat
from math import log2
from random import Random

import pytest
from games.taihe.table import decisions_of_deal

from ordago.cards import cards_in
from ordago.games.taihe.rules import possible_states
from ordago.games.taihe.state import TaiheState
from ordago.games.taihe.values import Phase, TaiheAction
from ordago_bot.house.taihe import choose
from ordago_bot.house.taihe_likelihood import Likelihood, turns_seen
from ordago_bot.search import likely, resampled


def test_elements_are_kept_in_proportion_to_their_weights() -> None:
    assert Counter(resampled("abc", [1.0, 3.0, 0.0], rng=Random(1), number=400)) == {"a": 100, "b": 300}


@pytest.mark.parametrize("seed", range(20))
def test_as_many_are_kept_as_asked_for_whatever_the_rounding(seed: int) -> None:
    rng = Random(seed)
    weights = [rng.random() * 1e-30 for _ in range(7)]
    assert len(resampled(range(7), weights, rng=rng, number=50)) == 50


def test_likely_states_are_drawn_from_the_sampler() -> None:
    rng = Random(2)
    kept = likely((rng.randrange(10) for _ in repeat(None)), lambda state: float(state >= 5), rng=rng, worlds=30)
    assert len(kept) == 30
    assert min(kept) >= 5


def by_solid(state: TaiheState, rng: Random) -> TaiheAction:
    return choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=2)


@pytest.mark.slow
def test_passes_and_plays_tell_bits_about_the_hands_of_taihe() -> None:
    """The bits given to the true holder of each card: fewer are better."""
    even = weighted = 0.0
    for seed in range(6):
        for state in decisions_of_deal(seed, seats=3, temperament=by_solid)[8::4]:
            bits = bits_of(state, Random(seed))
            even, weighted = even + bits[0], weighted + bits[1]
    assert weighted < 0.95 * even


def bits_of(state: TaiheState, rng: Random) -> tuple[float, float]:
    """Return the bits of the true deal for the actor, evenly and weighted."""
    view = state.view(state.actor)
    drawn = list(islice(possible_states(view, rng=rng), 150))
    likelihood = Likelihood(view)
    weights = [likelihood(each) for each in drawn]
    told = [0.0, 0.0]
    for seat in {0, 1, 2} - {state.actor}:
        for card in cards_in(state.hands[seat]):
            for number, by in enumerate(([1.0] * len(drawn), weights)):
                held = sum(weight for each, weight in zip(drawn, by, strict=True) if each.hands[seat] >> card & 1)
                told[number] -= log2((held / sum(by) * len(drawn) + 0.5) / (len(drawn) + 1))
    return told[0], told[1]


def test_a_likelihood_rests_on_the_turns_of_the_view() -> None:
    for state in decisions_of_deal(3, seats=4):
        if state.phase is Phase.PLAYING:
            turns = list(turns_seen(state.view(state.actor)))
            assert [turn.cards for turn in turns] == state.turns
            assert all(turn.seat == (state.declarer + place) % 4 for place, turn in enumerate(turns))
