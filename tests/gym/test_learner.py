"""One seat of a game in Gymnasium: its spaces, its wrappers, its rewards, and bad input."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gym.tables import SHORT, TABLES
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from ordago_gym import EncodingError, LearnerEnv, RandomPolicy


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_each_seat_learns_within_its_spaces(name: str, seats: int) -> None:
    env = LearnerEnv(name, 3, seat=seats - 1, seats=seats, options=SHORT[name])
    assert isinstance(env, gymnasium.vector.VectorEnv)
    observed, info = env.reset(seed=1)
    policy, ended = RandomPolicy(1), 0
    for _ in range(60):
        assert env.observation_space.contains(observed)
        assert info["action_mask"] is observed["action_mask"]
        actions = policy(observed["observation"], observed["action_mask"])
        assert env.action_space.contains(actions)
        observed, reward, terminated, truncated, info = env.step(actions)
        assert reward.shape == terminated.shape == truncated.shape == (3,)
        assert not truncated.any()
        assert not reward[~terminated].any()
        ended += int(terminated.sum())
    env.close()


def test_the_same_seed_gives_the_same_matches_and_opponents() -> None:
    def play(env: LearnerEnv, seed: int) -> list[bytes]:
        observed, _ = env.reset(seed=seed)
        rows = []
        for _ in range(40):
            observed, *_ = env.step(observed["action_mask"].argmax(axis=1))
            rows.append(observed["observation"].tobytes())
        return rows

    env = LearnerEnv("mus", 4)
    first = play(env, 1)
    assert play(env, 1) == play(LearnerEnv("mus", 4), 1) == first != play(env, 2)


def test_statistics_of_gymnasium_count_matches() -> None:
    env = RecordEpisodeStatistics(LearnerEnv("mus", 4, options=SHORT["mus"]))
    observed, _ = env.reset(seed=1)
    for _ in range(200):
        observed, *_ = env.step(observed["action_mask"].argmax(axis=1))
    assert env.episode_count > 0
    assert set(np.unique(env.return_queue)) <= {-1.0, 1.0}


def test_what_was_handed_out_stays() -> None:
    env = LearnerEnv("mittlere", 2)
    observed, _ = env.reset(seed=1)
    before = observed["observation"].copy()
    env.step(observed["action_mask"].argmax(axis=1))
    assert (observed["observation"] == before).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seat": 3}, "no seat 3"),
        ({"opponents": {1: RandomPolicy()}}, "a policy for each of the seats 1, 2"),
        ({"opponents": {0: RandomPolicy(), 1: RandomPolicy(), 2: RandomPolicy()}}, "a policy for each of"),
        ({"seats": 7}, "not played by 7"),
    ],
)
def test_what_cannot_be_made_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(EncodingError, match=words):
        LearnerEnv("mittlere", 2, **settings)


def test_a_list_of_seeds_is_refused() -> None:
    with pytest.raises(TypeError, match="one seed for all matches"):
        LearnerEnv("mittlere", 2).reset(seed=[1, 2])
