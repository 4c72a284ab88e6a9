"""The likelihood of Mitaines rests on what a seat saw, and takes the true deal for likelier than others."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import log
from random import Random
from statistics import fmean

import pytest

from ordago.game import CHANCE, FINISHED
from ordago.games.mitaines.pack import CARDS_OF_RANK, RANK_OF
from ordago.games.mitaines.rules import RULES, possible_states
from ordago.games.mitaines.state import MitainesState
from ordago.games.mitaines.values import HAND_CARDS
from ordago_bot.house.mitaines import choose
from ordago_bot.house.mitaines_likelihood import Likelihood, turns_seen


def states_of_deals(seed: int, *, deals: int = 1, seats: int = 4) -> Iterator[MitainesState]:
    """Yield the states of some deals that ``solid`` plays, as they come."""
    rng = Random(seed)
    state = RULES.new_match(seats=seats, options=RULES.options({"max_deals": deals}))
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due = state.shuffle_due().cards
            state.supply(tuple(rng.sample(due, len(due))))
        else:
            yield state
            state.apply(choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=2))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_back_to_the_deal_of_the_hands(seats: int) -> None:
    for state in states_of_deals(1, seats=seats):
        view = state.view(state.actor)
        turns = list(turns_seen(view))
        played = Counter(turn.seat for turn in turns)
        assert [view.hand_sizes[seat] + played[seat] for seat in range(seats)] == [HAND_CARDS[seats]] * seats
        assert [turn.card for turn in turns] == list(view.played[len(view.played) - len(turns) :])
        assert not any(turn.tells for turn in turns if turn.seat == view.seat)


def test_whoever_left_a_clear_hardly_holds_its_rank() -> None:
    """A seat lays a card on a rank. Deals in which it holds that rank are less likely than the same without."""
    parts = []
    for state in states_of_deals(5, deals=3):
        view = state.view(state.actor)
        last = next(reversed(list(turns_seen(view))), None)
        if last is None or not last.tells or not last.top or last.declared or RANK_OF[last.card] == last.top:
            continue
        likelihood = Likelihood(view)
        held: dict[bool, list[float]] = {True: [], False: []}
        for drawn in islice(possible_states(view, rng=Random(1)), 200):
            held[bool(drawn.hands[last.seat] & CARDS_OF_RANK[last.top])].append(likelihood(drawn))
        if held[True]:
            parts.append(fmean(held[True]) / fmean(held[False]))
    assert len(parts) > 5
    assert fmean(parts) < 0.5


@pytest.mark.slow
def test_the_true_deal_is_likelier_than_others() -> None:
    leads = []
    for seed in range(6):
        for state in states_of_deals(seed):
            likelihood = Likelihood(view := state.view(state.actor))
            others = fmean(log(likelihood(each)) for each in islice(possible_states(view, rng=Random(2)), 20))
            leads.append(log(likelihood(state)) - others)
    assert fmean(leads) > 0.1
