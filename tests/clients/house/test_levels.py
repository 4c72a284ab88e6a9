"""The levels of the house: known for each game, legal, repeatable, and blind to what a seat may not see."""

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest

from ordago import v1
from ordago.game import CHANCE, FINISHED, LegalAction
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.search.playouts import any_action
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.house.levels import LEVELS, LevelBot, level_of
from ordago_bot.house.solid import policy_in
from ordago_bot.local import play_locally

_LEVEL = HOUSE_BOTS["house"].settings["level"]


def decisions(game: AnyGame, *, seed: int, every: int) -> Iterator[Any]:
    """Yield some states of a match in which everybody plays at random, as they come."""
    rng = Random(seed)
    state = game.rules.new_match(seats=game.rules.seat_counts[-1], options=game.rules.options({}))
    for number in range(160):
        while state.actor == CHANCE:
            due = state.shuffle_due().cards
            state.supply(tuple(rng.sample(due, len(due))))
        if state.actor == FINISHED:
            return
        legal = state.legal_actions()
        if number % every == 0 and len(legal) > 1:
            yield state
        state.apply(any_action(game, rng.choice(legal), rng))


@pytest.mark.slow
@pytest.mark.parametrize("game_name", LEVELS)
def test_what_is_hidden_changes_no_choice(game_name: str) -> None:
    """A state that looks the same to the seat, with other cards in other hands, gets the same legal choice."""
    game, level = find_game(game_name), LEVELS[game_name][-1]
    policy = policy_in(level.policy)
    assert game.possible_states is not None
    for state in decisions(game, seed=4, every=10):
        view, rng = state.view(state.actor), Random(4)
        other = next(game.possible_states(view, rng=rng))
        choices = [
            policy(each.view(state.actor), legal=each.legal_actions(), rng=Random(1), worlds=min(level.worlds, 24))
            for each in (state, other)
        ]
        assert choices[0] == choices[1]
        assert state.check(choices[0]) is None


def test_each_game_has_different_levels_within_the_range_of_the_setting() -> None:
    for levels in LEVELS.values():
        assert 2 <= len(levels) <= _LEVEL.max
        assert len(set(levels)) == len(levels)


def test_a_game_with_fewer_levels_plays_the_strongest_beyond_them() -> None:
    for game_name, levels in LEVELS.items():
        assert level_of(game_name, _LEVEL.max + 1) == levels[-1]


def test_in_a_game_without_levels_it_takes_the_default_answers() -> None:
    decision = v1.Decision(default_answer=v1.Answer(legal_action=2))
    for number in range(_LEVEL.min, _LEVEL.max + 1):
        bot = LevelBot(v1.MatchStart(game="unheardof", seed=b"seed"), level=number)
        assert bot.choose(decision) == decision.default_answer


def test_a_bot_in_a_hurry_imagines_fewer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which each choice among several cards takes a second. Forced cards do not count."""
    imagined: list[int] = []
    seconds = 0.0

    def choose(_view: object, *, legal: Sequence[LegalAction[Any]], rng: Random, worlds: int) -> object:  # noqa: ARG001 - as policies are called
        nonlocal seconds
        seconds += len(legal) > 1
        imagined.append(worlds)
        return legal[0].action

    monkeypatch.setattr("ordago_bot.house.solid.policy_in", lambda _module: choose)
    bots = [partial(LevelBot, level=4, budget_ms=50, clock=lambda: seconds)] * 3
    assert len(list(play_locally(bots, "mittlere", options={"deals": 3}, matches=1))) == 1
    assert imagined[:3] == [100, 100, 100], "each seat begins with what a deal costs at most"
    assert set(imagined[3:6]) == {5}, "a second for 100 deals"
