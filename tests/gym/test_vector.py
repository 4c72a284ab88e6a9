"""Many matches at once: the same as one by one, policies in seats, and bad input."""

from typing import Any

import numpy as np
import pytest
from gym.tables import SHORT, TABLES
from numpy.typing import NDArray

from ordago.chance import SECRET_BYTES
from ordago_gym import EncodingError, RandomPolicy, VectorEnv
from ordago_gym.arrays import mask_of, observation_of
from ordago_gym.table import Table


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_matches_side_by_side_are_those_played_alone(name: str, seats: int) -> None:
    """Each row is what a table shows that plays the same ids; a match that ends is followed by the next."""
    env, policy = VectorEnv(name, 3, seats=seats, options=SHORT[name]), RandomPolicy(1)
    batch = env.reset(seed=5)
    secrets = np.random.default_rng(5)
    alone = [Table(name, seats=seats, options=SHORT[name]) for _ in range(3)]
    for table in alone:
        table.begin(secrets.bytes(SECRET_BYTES))
    ended = 0
    for _ in range(600):
        for number, table in enumerate(alone):
            assert batch.obs[number].tobytes() == observation_of(env.encoding, table.decision).tobytes()
            assert batch.mask[number].tobytes() == mask_of(env.encoding, table.decision).tobytes()
            assert batch.actor[number] == table.actor
        actions = policy(batch.obs, batch.mask)
        batch = env.step(actions)
        for number, table in enumerate(alone):
            table.choose(int(actions[number]))
            assert batch.done[number] == (table.actor < 0)
            assert batch.reward[number].tolist() == pytest.approx(table.rewards or [0] * seats)
            if table.actor < 0:
                table.begin(secrets.bytes(SECRET_BYTES))
                ended += 1
    assert ended


def test_the_end_of_each_deal_is_said_whatever_its_rewards() -> None:
    env, policy = VectorEnv("mittlere", 4, rewards="deal"), RandomPolicy(1)
    batch, unrewarded = env.reset(seed=5), 0
    for step in range(1, 20 * 36 + 1):
        batch = env.step(policy(batch.obs, batch.mask))
        assert batch.scored.tolist() == [step % 36 == 0] * 4
        unrewarded += int((batch.scored & ~batch.reward.any(axis=1)).sum())
    assert unrewarded


@pytest.mark.parametrize("name", SHORT)
def test_the_same_seed_gives_the_same_matches(name: str) -> None:
    def play(seed: int) -> list[bytes]:
        env, policy = VectorEnv(name, 4, options=SHORT[name]), RandomPolicy(2)
        batch = env.reset(seed=seed)
        return [(batch := env.step(policy(batch.obs, batch.mask))).obs.tobytes() for _ in range(50)]

    assert play(1) == play(1) != play(2)


def test_policies_play_the_other_seats() -> None:
    seen: list[int] = []

    def opponent(obs: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        assert len(obs) == len(mask)
        seen.append(len(obs))
        return np.asarray(mask.argmax(axis=1))

    env, policy = VectorEnv("mus", 8, opponents={1: opponent, 2: opponent, 3: opponent}), RandomPolicy(3)
    batch, rewards, ended = env.reset(seed=1), np.zeros(4), 0
    for _ in range(400):
        assert (batch.actor == 0).all()
        batch = env.step(policy(batch.obs, batch.mask))
        rewards, ended = rewards + batch.reward.sum(axis=0), ended + int(batch.done.sum())
    assert ended
    assert rewards[0] == rewards[2] == -rewards[1]
    assert max(seen) > 1


def test_a_policy_that_returns_nonsense_is_named() -> None:
    def answers(value: Any) -> VectorEnv:
        return VectorEnv("mittlere", 2, opponents={1: lambda _obs, _mask: value, 2: RandomPolicy(1)})

    for value, words in (
        (np.array([np.nan, 1.0]), "whole number for each of . matches, and got float64"),
        (np.array([1, 2, 3]), "shape \\(3,\\)"),
        (np.array([-5, -5]), "illegal id -5 in match 0"),
    ):
        env, policy = answers(value), RandomPolicy(2)
        with pytest.raises(ValueError, match=f"the policy of seat 1 .*{words}"):  # noqa: PT012 - it may be asked in either
            batch = env.reset(seed=1)
            env.step(policy(batch.obs, batch.mask))


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([0], "needs a whole number for each of 2 matches"),
        ([[0, 0]], "shape \\(1, 2\\)"),
        ([0.0, 1.0], "got float64"),
        ([0, 99], "illegal id 99 in match 1"),
        ([-1, 0], "illegal id -1 in match 0; legal are: "),
    ],
)
def test_bad_actions_are_refused_and_nothing_is_played(actions: Any, words: str) -> None:
    env = VectorEnv("mittlere", 2)
    before = env.reset(seed=1).obs.copy()
    with pytest.raises(ValueError, match=words):
        env.step(np.array(actions))
    assert (env._batch.obs == before).all()


def test_what_cannot_be_made_is_refused() -> None:
    everybody = dict.fromkeys(range(3), RandomPolicy())
    for settings, words in (
        ({"n": 0}, "1 match or more"),
        ({"n": 1, "opponents": {3: RandomPolicy()}}, "no seat 3"),
        ({"n": 1, "opponents": everybody}, "leave one for the learner"),
    ):
        with pytest.raises(EncodingError, match=words):
            VectorEnv("mittlere", **settings)  # type: ignore[arg-type]  # of several types
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        VectorEnv("mittlere", 1).step(np.array([0]))
