"""The tree finds the action that is best on average, and lets each seat pursue its own worth."""

from collections.abc import Sequence
from random import Random

import pytest

from ordago_bot.search import Search


class Coin:
    """A game of two: seat 0 takes a part of ten, or leaves it; then seat 1 keeps the rest or gives it away."""

    def __init__(self, hidden: int) -> None:
        self.actor = 0
        self.hidden = hidden
        self.taken: list[str] = []

    def clone(self) -> "Coin":
        return Coin(self.hidden)


class CoinPlayout:
    """The moves of ``Coin``: ``sure`` is worth 0.6, ``gamble`` 1 if the hidden coin shows 1, ``trust`` what 1 gives."""

    def actions(self, state: Coin) -> Sequence[str]:
        return ("sure", "gamble", "trust") if state.actor == 0 else ("give", "keep")

    def key(self, action: str) -> str:
        return action

    def after(self, state: Coin, action: str) -> Sequence[float] | None:
        state.taken.append(action)
        if action == "trust":
            state.actor = 1
            return None
        return {
            "sure": (0.6, 0.4),
            "gamble": (float(state.hidden), 0.0),
            "give": (1.0, 0.0),
            "keep": (0.0, 1.0),
        }[action]

    def played_out(self, state: Coin, *, rng: Random) -> Sequence[float]:
        worths = self.after(state, rng.choice(self.actions(state)))
        assert worths is not None
        return worths


def visits(hidden: Sequence[int], *, seed: int = 1) -> dict[str, int]:
    found = Search(CoinPlayout(), 0.7, Random(seed)).visits(map(Coin, hidden))
    return {str(key): number for key, number in found.items()}


@pytest.mark.parametrize(("ones", "best"), [(9, "gamble"), (2, "sure")])
def test_the_best_on_average_over_the_deals_is_visited_most(ones: int, best: str) -> None:
    rng = Random(3)
    found = visits([int(rng.random() * 10 < ones) for _ in range(600)])
    assert sum(found.values()) == 600
    assert max(found, key=found.__getitem__) == best


def test_the_other_seat_is_expected_to_keep_what_is_worth_most_to_itself() -> None:
    """A playout at random says 0.5 of trust; the tree learns that it is worth nothing."""
    found = visits([0] * 600)
    assert found["trust"] < found["sure"] / 4


def test_equal_generators_search_equally() -> None:
    assert visits([0, 1] * 50, seed=4) == visits([0, 1] * 50, seed=4)


def test_actions_are_tried_in_the_same_states_and_what_follows_is_searched() -> None:
    """``trust`` looks as good as its reply is bad for the seat that replies: it keeps, once the search has seen it."""
    coins = Random(3)
    states = [Coin(coins.randrange(2)) for _ in range(60)]
    tried = Search(CoinPlayout(), 0.7, Random(4)).tried(states, ["sure", "gamble", "trust"])
    assert tried["sure"] == [0.6] * 60
    assert tried["gamble"] == [float(state.hidden) for state in states]
    assert sum(tried["trust"][30:]) < 6
    assert all(not state.taken for state in states), "the states are cloned"
