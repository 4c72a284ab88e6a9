"""One seat of a game as a vector environment of Gymnasium, with policies in all others."""

from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ordago_gym.arrays import Policy, space_of
from ordago_gym.encoding import EncodingError, encoding_of
from ordago_gym.table import Rewards
from ordago_gym.vector import Batch, RandomPolicy, VectorEnv


class LearnerEnv(gymnasium.vector.VectorEnv[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any]]):
    """Many matches, in each of which the learner has the same seat. Each that ends is followed by the next at once.

    Observations are dictionaries of ``observation`` and ``action_mask``. Those at the end of a match are not handed
    out: nothing is chosen there, and nothing is to come.
    """

    def __init__(
        self,
        name: str,
        num_envs: int,
        *,
        seat: int = 0,
        opponents: Mapping[int, Policy] | Policy | None = None,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        rewards: str = Rewards.MATCH,
    ) -> None:
        """Prepare matches; ``reset`` begins them.

        Args:
            name: the game, for instance ``mus``, or with the version of the encoding, ``mus_v0``.
            num_envs: the number of matches, from 1.
            seat: the seat of the learner.
            opponents: the policies of the others by seat, or one for all of them; ``None`` for random ones.
            seats: the number of players; ``None`` for the smallest that the game has.
            options: options of the game.
            rewards: ``match`` or ``deal``, as for ``aec``.

        Raises:
            EncodingError: no such game, version, number of players or seat, or a seat without a policy.
            OptionError: an option that the game does not have, or a value that it cannot take.
        """
        self._random: Final = RandomPolicy()
        count = encoding_of(name, seats=seats).seats
        others = [other for other in range(count) if other != seat]
        if seat not in range(count):
            raise EncodingError(f"{name} has the seats 0 to {count - 1}, and no seat {seat}")
        policies = opponents if isinstance(opponents, Mapping) else dict.fromkeys(others, opponents or self._random)
        if set(policies) != set(others):
            raise EncodingError(f"opponents need a policy for each of the seats {', '.join(map(str, others))}")
        self._env: Final = VectorEnv(name, num_envs, seats=count, options=options, rewards=rewards, opponents=policies)
        self._seat: Final = seat
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = num_envs
        self.single_observation_space = space_of(self._env.encoding)
        self.single_action_space = gymnasium.spaces.Discrete(self._env.encoding.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - Gymnasium's
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begin all matches anew. All shuffles, and random opponents, follow from one seed.

        Raises:
            TypeError: a list of seeds; the matches share one.
        """
        if isinstance(seed, list):
            raise TypeError("reset() takes one seed for all matches, not a list of them")
        if seed is not None:
            self._random.seed(seed)
        batch = self._env.reset(seed)
        return self._observed(batch)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Let the learner choose an action id in each match, and the others until it is its turn again.

        Raises:
            ValueError: not one legal id for each match. Nothing has been played then.
            RuntimeError: no match has begun.
        """
        batch = self._env.step(actions)
        observed, infos = self._observed(batch)
        rewards = batch.reward[:, self._seat].astype(np.float64)
        return observed, rewards, batch.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _observed(self, batch: Batch) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        mask = batch.mask.copy()
        return {"observation": batch.obs.copy(), "action_mask": mask}, {"action_mask": mask}
