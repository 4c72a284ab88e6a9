"""The speed of environments, with observations and masks, in random play, and of other libraries' where installed."""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from ordago_bench.rules import openspiel_match, rlcard_match
from ordago_gym import ENCODED, RandomPolicy, VectorEnv, aec

_SEED: Final = 7
_MATCHES: Final = 64
"""The matches of a vector environment, as many as a learner on two cores plays at once."""
_OPENSPIEL_GAMES: Final = ("dou_dizhu", "euchre", "hearts")
_PETTINGZOO_GAMES: Final = (
    *("classic/hanabi-v5", "classic/leduc_holdem-v4", "classic/texas_holdem-v4", "classic/texas_holdem_no_limit-v6"),
)


class Speed(NamedTuple):
    """The steps per second of a game, of processor time, so that a busy machine measures the same."""

    aec: float
    """As an environment of PettingZoo, with ``last`` and ``step``."""
    vector: float
    """As a vector environment."""
    floats: int
    """The size of an observation."""
    actions: int
    """The size of a mask."""


def measure_gym(*, seconds: float) -> dict[str, Speed]:
    """Return the speed of each game that has an encoding, with its smallest number of players."""
    return {name: _speed(name, seconds) for name in ENCODED}


def measure_peers(*, seconds: float) -> dict[str, float | str]:
    """Return the steps per second of other libraries' environments, by name, or the reason why there is none."""
    with warnings.catch_warnings(action="ignore"):  # about their own spaces and names
        return {name: _rate_or_reason(make, seconds) for name, make in _peers()}


def _rate_or_reason(make: Callable[[], Callable[[], int]], seconds: float) -> float | str:
    try:
        return _rate(make(), seconds)
    except (ImportError, AttributeError) as error:  # PettingZoo has a registry of environments from 1.26 on
        return str(error)


def _peers() -> Iterator[tuple[str, Callable[[], Callable[[], int]]]]:
    """Yield the peers, and functions that make what plays them."""
    for game in _OPENSPIEL_GAMES:
        yield f"openspiel:{game}", partial(_openspiel, game)
    yield "rlcard:doudizhu", partial(_rlcard, "doudizhu")
    for game in _PETTINGZOO_GAMES:
        yield f"pettingzoo:{game.partition('/')[2]}", partial(_pettingzoo, game)


def _openspiel(name: str) -> Callable[[], int]:
    """Return a match of OpenSpiel, with the tensor that the game has, and the mask."""
    game = import_module("pyspiel").load_game(name)
    observes = game.get_type().provides_observation_tensor

    def look(state: Any) -> object:  # noqa: ANN401 - OpenSpiel has no types
        return state.observation_tensor() if observes else state.information_state_tensor(), state.legal_actions_mask()

    return partial(openspiel_match(game, look), Random(_SEED))


def _rlcard(name: str) -> Callable[[], int]:
    """Return a match of RLCard. Its states have observations, and legal ids in place of a mask."""
    return partial(rlcard_match(import_module("rlcard").make(name, {"seed": _SEED})), Random(_SEED))


def _pettingzoo(name: str) -> Callable[[], int]:
    return _play_aec(import_module("pettingzoo").make("aec", name))


def _speed(name: str, seconds: float) -> Speed:
    env, batch = aec(name), VectorEnv(name, _MATCHES)
    return Speed(
        _rate(_play_aec(env), seconds),
        _rate(_play_vector(batch), seconds),
        env.encoding.size,
        env.encoding.actions,
    )


def _rate(play: Callable[[], int], seconds: float) -> float:
    play()  # Fill the caches before timing.
    steps, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        steps += play()
    return round(steps / elapsed, 1)


def _play_aec(env: Any) -> Callable[[], int]:  # noqa: ANN401 - PettingZoo has no types
    rng = np.random.default_rng(_SEED)
    env.reset(seed=_SEED)

    def play() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observed, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observed["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    return play


def _play_vector(env: VectorEnv) -> Callable[[], int]:
    policy, batches = RandomPolicy(_SEED), [env.reset(seed=_SEED)]

    def play() -> int:
        batches[0] = env.step(policy(batches[0].obs, batches[0].mask))
        return env.n

    return play
