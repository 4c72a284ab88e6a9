"""The games in OpenSpiel: its own tests, the observations of our environments, and its search by our resampler."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from gym.tables import SHORT, TABLES, seen

from ordago.chance import SecretDeals
from ordago.game import CHANCE
from ordago.games import find_game
from ordago_bot.search import likely
from ordago_gym.table import _SEED_TEXT, Table

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra 'openspiel'")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
openspiel = pytest.importorskip("ordago_gym.openspiel")


def loaded(name: str, seats: int) -> Any:
    return pyspiel.load_game(f"ordago_{name}", {"players": seats, **SHORT[name]})


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_openspiels_own_test_passes(name: str, seats: int) -> None:
    """It plays at random, and tries clones, observations, masks, and states that are written and read again."""
    pyspiel.random_sim_test(loaded(name, seats), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_shows_what_an_environment_shows(name: str, seats: int) -> None:
    table, secret, rng = Table(name, seats=seats, options=SHORT[name]), bytes(32), Random(seats)
    table.begin(secret)
    deals, state = SecretDeals(secret, _SEED_TEXT), loaded(name, seats).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            for card in deals.shuffled(state.match.state.shuffle_due()):
                state.apply_action(card)
            continue
        observed, mask = seen(table.encoding, table.decision)
        assert state.current_player() == table.actor
        assert np.array(state.observation_tensor(), np.float32).tobytes() == observed
        assert bytes(state.legal_actions_mask()) == mask
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        table.choose(action)
    assert state.returns() == table.rewards


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_its_search_runs_with_our_resampler(name: str, seats: int) -> None:
    """Its search asserts that each state drawn looks the same to the player, in the middle of a turn too."""
    game, chance = loaded(name, seats), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(
        game, evaluator, 2.0, 3, random_state=chance, use_observation_string=True, allow_inconsistent_action_sets=True
    )
    bot.set_resampler(openspiel.resampler(Random(1)))
    play(game, bot, decisions=12)


def play(game: Any, bot: Any, *, decisions: int) -> None:
    state, rng = game.new_initial_state(), Random(3)
    while decisions and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        decisions -= 1


def test_states_are_drawn_by_their_likelihood() -> None:
    """Deals in which seat 1 has a certain card are a thousand times likelier, and nearly all that are drawn."""
    game, rng = loaded("mittlere", 3), Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    wanted = state.match.state.view(1).hand[0]

    def imagine(view: Any) -> Iterator[Any]:
        states = find_game("mittlere").possible_states
        assert states is not None
        has = lambda drawn: 1.0 if wanted in drawn.view(1).hand else 0.001  # noqa: E731
        return iter(likely(states(view, rng=rng), has, rng=rng, worlds=4))

    draw = openspiel.resampler(rng, imagine)
    drawn = [draw(state, state.current_player()) for _ in range(20)]
    assert sum(wanted in one.match.state.view(1).hand for one in drawn) > 15
    assert all(one.observation_string(0) == state.observation_string(0) for one in drawn)
    before = state.match.state.view(1)
    drawn[0].apply_action(drawn[0].legal_actions()[0])
    assert state.match.state.view(1) == before
    assert drawn[1].match.state.actor == state.match.state.actor != CHANCE


def test_its_environment_for_learners_runs() -> None:
    environment = rl_environment.Environment(loaded("mus", 4))
    step = environment.reset()
    assert len(step.observations["info_state"][0]) == 891
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize(
    ("parameters", "words"), [({"players": 3}, "not played by 3"), ({"target": 7}, "target"), ({"deals": 1}, "deals")]
)
def test_what_there_is_not_is_an_error(parameters: dict[str, object], words: str) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError), match=words):
        pyspiel.load_game("ordago_mus", parameters)
