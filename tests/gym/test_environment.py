"""The environments of PettingZoo: the library's own tests, bad input, rewards and masks."""

from typing import Any

import numpy as np
import pytest
from gym.tables import SHORT, TABLES
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from ordago.game import OptionError
from ordago_gym import EncodingError, GameEnv, aec

# The library asks for a Box although its own card games have the same dictionaries.
pytestmark = pytest.mark.filterwarnings("ignore:Observation")


def short(name: str, seats: int | None = None, **settings: Any) -> GameEnv:
    return aec(name, seats=seats, options=SHORT[name], **settings)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_library_accepts_each_game(name: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(short(name, seats), num_cycles=300)
    seed_test(lambda: short(name, seats), num_cycles=60)
    render_test(lambda render_mode: short(name, seats, render_mode=render_mode))
    capsys.readouterr()


@pytest.mark.parametrize("name", SHORT)
def test_its_wrappers_work(name: str) -> None:
    env = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(short(name), illegal_reward=-1)))
    env.reset(seed=1)
    for agent in env.agent_iter(200):
        observed, _, terminated, truncated, _ = env.last()
        dead = terminated or truncated
        env.step(None if dead else env.action_space(agent).sample(observed["action_mask"]))


def first_legal(env: GameEnv) -> int:
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])


def play_out(env: GameEnv) -> dict[str, list[float]]:
    """Play a match by the first legal ids; return the rewards that each agent was told of, one by one."""
    rewards: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        rewards[agent].append(reward)
        env.step(None if terminated or truncated else first_legal(env))
    return rewards


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_only_the_actor_has_something_to_choose(name: str, seats: int) -> None:
    env = short(name, seats)
    env.reset(seed=3)
    for _ in range(40):
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
        assert all(masks[agent].all() for agent in env.agents if agent != env.agent_selection)
        own = masks[env.agent_selection]
        assert own.any()
        assert not own.all()
        assert own is env.infos[env.agent_selection]["action_mask"]
        env.step(first_legal(env))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_is_worth_nothing_in_all(name: str, seats: int) -> None:
    env = short(name, seats)
    env.reset(seed=4)
    final = [sum(rewards) for rewards in play_out(env).values()]
    assert sum(final) == pytest.approx(0)
    assert max(map(abs, final)) <= 1
    assert env.agents == []


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_deals_are_rewarded_by_their_points(name: str, seats: int) -> None:
    env = short(name, seats, rewards="deal")
    env.reset(seed=4)
    final = {agent: sum(rewards) for agent, rewards in play_out(env).items()}
    assert tuple(final.values()) == env.unwrapped._table.state.outcome.scores


def test_the_seed_reaches_every_shuffle_and_the_next_match() -> None:
    env = short("mittlere")
    first = [shuffles(env, seed) for seed in (1, None, None)]
    assert [shuffles(env, seed) for seed in (1, None, None)] == first
    assert len({str(match) for match in first}) == 3
    assert shuffles(env, 2) != first[0]


def shuffles(env: GameEnv, seed: int | None) -> list[bytes]:
    env.reset(seed=seed)
    deals = []
    for agent in env.agent_iter(300):
        observed, _, dead, _, _ = env.last()
        deals.append(observed["observation"].tobytes())
        env.step(None if dead else first_legal(env))
        if not env.agents:
            break
        assert agent in env.possible_agents
    return deals


def test_an_illegal_id_ends_the_match_with_a_sentence() -> None:
    env = short("mus")
    env.reset(seed=1)
    agent = env.agent_selection
    illegal = int(np.flatnonzero(env.infos[agent]["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards == {name: -1.0 if name == agent else 0.0 for name in env.agents}
    assert all(env.terminations.values())
    assert f"{agent} chose the illegal id {illegal}" in env.infos[agent]["illegal"]
    assert not any("illegal" in env.infos[other] for other in env.agents if other != agent)
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("action", [-1, 77, 1000, None, 1.0, True, "3", np.float32(2)])
def test_what_is_no_id_is_refused_and_nothing_is_played(action: Any) -> None:
    env = aec("mus", options={"target": 40})
    env.reset(seed=1)
    agent, before = env.agent_selection, env.observe(env.agent_selection)["observation"]
    with pytest.raises(ValueError, match=f"{agent} chose .*: an action of mus_v0 is a whole number from 0 to 76"):
        env.step(action)
    assert (env.observe(agent)["observation"] == before).all()


def test_nothing_can_be_chosen_before_the_first_match() -> None:
    with pytest.raises(RuntimeError, match=r"call reset\(\) before step\(\)"):
        short("mus").step(0)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"seats": 5}, EncodingError, "not played by 5"),
        ({"options": {"tarjet": 40}}, OptionError, "no option 'tarjet'"),
        ({"options": {"target": 7}}, OptionError, "from 10 to 100"),
        ({"rewards": "trick"}, ValueError, "rewards is one of: match, deal"),
        ({"render_mode": "3d"}, ValueError, "render_mode is one of: ansi, human"),
    ],
)
def test_what_cannot_be_made_is_refused(settings: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        aec("mus", **settings)


def test_a_match_can_be_cut_off() -> None:
    env = short("mittlere", max_cycles=7)
    env.reset(seed=1)
    for _ in range(7):
        assert not any(env.truncations.values())
        env.step(first_legal(env))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_all_cards_are_on_the_table_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = short("mittlere", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert all(f"player_{seat}: " in text for seat in range(3))
    assert sum(text.count(suit) for suit in "♣♦♥♠") == 36
    printing = short("mittlere", render_mode="human")
    printing.reset(seed=1)
    assert printing.render() is None
    assert capsys.readouterr().out == text


def test_a_picture_shows_the_table_in_a_size_that_stays() -> None:
    """The margin on all sides stays white, so no line is cut off in the longest hands."""
    env = short("mitigati", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    after = env.render()
    assert before.shape == after.shape == (400, 960, 3)
    assert (before != after).any()
    for edge in (after[:10], after[-10:], after[:, :10], after[:, -10:]):
        assert (edge == 255).all()
