"""Deals imagined with a bot's own chance tell no more of the true cards than deals drawn by any other chance.

A sampler that shares its chance with the shuffles, or a seed that is made from the cards, would be a leak that no look
at the views finds: the imagined hands would agree with the true ones more often than they should.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from ordago import v1
from ordago.cards import count
from ordago.games import find_game, game_names
from ordago.record.opening import opening
from ordago_bot import Bot, Choosable, complete, play_locally

MATCHES = 60
ERRORS = 4
"""Differences beyond so many standard errors are a leak: by chance one in 30,000 is."""
OPTIONS: dict[str, dict[str, object]] = {
    "mitaines": {"max_deals": 1},
    "mitigati": {"max_bid": 1, "max_struck": 0},
    "mittlere": {"deals": 3},
    "mus": {"games": 1, "target": 20},
    "taihe": {"deals": 3},
}


def hands_of(state: Any) -> Sequence[int]:
    hands: Sequence[int] = state.holdings.hands if hasattr(state, "holdings") else state.hands
    return hands


def agreement(one: Sequence[int], other: Sequence[int], *, seat: int) -> float:
    """Return the share of the others' cards that two deals give to the same seats."""
    pairs = [pair for place, pair in enumerate(zip(one, other, strict=True)) if place != seat]
    return sum(count(a & b) for a, b in pairs) / max(1, sum(count(a) for a, _ in pairs))


class Imagining(Bot):
    """Draws a deal with its own chance at each decision, and acts at random."""

    imagined: list[Sequence[int]]

    def choose(self, decision: v1.Decision) -> Choosable:
        game = find_game(self.match.game)
        assert game.possible_states is not None
        view = game.codec.view_from(decision.view, seat=decision.seat)
        self.imagined.append(hands_of(next(game.possible_states(view, rng=self.random))))
        return complete(self.random.choice(decision.actions), self.random)


def leads(game_name: str, see: Callable[[Any, Sequence[int]], Sequence[int]]) -> Iterator[float]:
    """Yield, match by match, how much more an imagined deal agrees with the true one than an independent one does.

    Args:
        game_name: the game.
        see: returns the imagined hands, given the true state and the hands that the bot imagined.
    """
    game = find_game(game_name)
    assert game.possible_states is not None
    seats = game.rules.seat_counts[-1]
    independent = Random(f"independent {game_name}")
    for number in range(MATCHES):
        Imagining.imagined = []
        [played] = play_locally([Imagining] * seats, game_name, options=OPTIONS[game_name], seed=f"leak {number}")
        imagined, leads_of_match = iter(Imagining.imagined), []
        for state in states_before_choices(played.record):
            seat, truth = state.actor, hands_of(state)
            drawn = next(game.possible_states(state.view(seat), rng=independent))
            own, other = see(state, next(imagined)), hands_of(drawn)
            leads_of_match.append(agreement(truth, own, seat=seat) - agreement(truth, other, seat=seat))
        assert next(imagined, None) is None
        yield fmean(leads_of_match)


def states_before_choices(record: v1.MatchRecord) -> Iterator[Any]:
    begun = opening(record)
    state: Any = begun.state
    for entry in record.entries:
        if entry.HasField("shuffle"):
            state.supply(tuple(entry.shuffle.cards))
        elif entry.HasField("choice"):
            yield state
            state.apply(begun.game.codec.action_from(entry.choice.action))


def errors_away(found: Sequence[float]) -> float:
    """Return how many standard errors the mean is away from zero."""
    return fmean(found) / (stdev(found) / len(found) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize("game_name", game_names())
def test_imagined_deals_know_nothing_of_the_true_one(game_name: str) -> None:
    assert abs(errors_away(list(leads(game_name, lambda _state, imagined: imagined)))) < ERRORS


@pytest.mark.slow
def test_a_leak_of_one_deal_in_twenty_is_found() -> None:
    chance = Random(1)

    def peeking(state: Any, imagined: Sequence[int]) -> Sequence[int]:
        return hands_of(state) if chance.random() < 0.05 else imagined

    assert errors_away(list(leads("taihe", peeking))) > ERRORS
