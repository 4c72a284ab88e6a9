"""Many matches at once, for learners that choose for all of them in one call."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from ordago.chance import SECRET_BYTES
from ordago.game import FINISHED
from ordago_gym.arrays import Policy, bytes_of, floats_of, legal_ids
from ordago_gym.encoding import EncodingError
from ordago_gym.table import Rewards, Table


class Batch(NamedTuple):
    """The matches of a ``VectorEnv`` after a step. The arrays are overwritten by the next step: copy what you keep."""

    obs: NDArray[np.float32]
    """``[n, floats]``: the observation of each actor."""
    mask: NDArray[np.int8]
    """``[n, actions]``: 1 for each id that is legal. No row is all 0."""
    actor: NDArray[np.int64]
    """``[n]``: the seat that is to act."""
    reward: NDArray[np.float32]
    """``[n, seats]``: the rewards since the step before."""
    done: NDArray[np.bool_]
    """``[n]``: True where a match has ended. The row is that of the next match already; the reward is of the last."""
    scored: NDArray[np.bool_]
    """``[n]``: True where rewards were given since the step before, even if all are 0: a deal or a match has ended."""


class VectorEnv:
    """Matches of one game side by side. Each that ends is followed by the next at once.

    Attributes:
        n: the number of matches.
        encoding: the encoding of the game.
        seats: the number of players.
    """

    def __init__(
        self,
        name: str,
        n: int,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        rewards: str = Rewards.MATCH,
        opponents: Mapping[int, Policy] | None = None,
    ) -> None:
        """Prepare matches; ``reset`` begins them.

        Args:
            name: the game, for instance ``mus``, or with the version of the encoding, ``mus_v0``.
            n: the number of matches, from 1.
            seats: the number of players; ``None`` for the smallest that the game has.
            options: options of the game.
            rewards: ``match`` or ``deal``, as for ``aec``.
            opponents: policies by seat. They choose within ``step``, so that only the other seats ever act.

        Raises:
            EncodingError: no such game, version, number of players, or a seat that there is not.
            OptionError: an option that the game does not have, or a value that it cannot take.
        """
        if n < 1:
            raise EncodingError(f"a VectorEnv has 1 match or more, not {n}")
        kind = Rewards.named(rewards)
        self._tables: Final = [Table(name, seats=seats, options=options, rewards=kind) for _ in range(n)]
        self.n: Final = n
        self.encoding: Final = self._tables[0].encoding
        self.seats: Final = self.encoding.seats
        self._opponents: Final = self._checked_opponents(opponents or {})
        self._batch: Final = Batch(
            np.zeros((n, self.encoding.size), np.float32),
            np.zeros((n, self.encoding.actions), np.int8),
            np.zeros(n, np.int64),
            np.zeros((n, self.seats), np.float32),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
        )
        self._rows: Final = [floats_of(row) for row in self._batch.obs]
        self._masks: Final = [bytes_of(row) for row in self._batch.mask]
        self._no_mask: Final = bytes(self.encoding.actions)
        self._numbers: Final = np.arange(n)
        self._has_begun = False
        self._np_random, _ = seeding.np_random()

    def _checked_opponents(self, opponents: Mapping[int, Policy]) -> Mapping[int, Policy]:
        unknown = [seat for seat in opponents if seat not in range(self.seats)]
        if unknown:
            raise EncodingError(f"{self.encoding.id} has the seats 0 to {self.seats - 1}, and no seat {unknown[0]}")
        if len(opponents) == self.seats:
            raise EncodingError("opponents hold all seats: leave one for the learner")
        return dict(opponents)

    def reset(self, seed: int | None = None) -> Batch:
        """Begin all matches anew. All shuffles follow from the seed; without one, from those of the matches before."""
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        self._clear()
        for number in range(self.n):
            self._begin(number)
            self._write(number)
        self._let_opponents_choose()
        return self._batch

    def step(self, actions: NDArray[Any]) -> Batch:
        """Let each actor choose an action id.

        Raises:
            ValueError: not one whole number for each match, or an illegal one. Nothing has been played then.
            RuntimeError: no match has begun.
        """
        if not self._has_begun:
            raise RuntimeError("no match is in play: call reset() before step()")
        chosen = legal_ids(actions, self._batch.mask, self._numbers, source="step()")
        self._clear()
        self._choose(chosen, range(self.n))
        self._let_opponents_choose()
        return self._batch

    def _clear(self) -> None:
        self._batch.reward.fill(0)
        self._batch.done.fill(False)  # noqa: FBT003 - the value
        self._batch.scored.fill(False)  # noqa: FBT003 - the value

    def _choose(self, chosen: list[int], numbers: Any) -> None:  # noqa: ANN401 - any iterable of integers
        reward, done, scored = self._batch.reward, self._batch.done, self._batch.scored
        for number, action in zip(numbers, chosen, strict=True):
            table = self._tables[number]
            table.choose(action)
            if table.rewards is not None:
                reward[number] += table.rewards
                scored[number] = True
                table.rewards = None
            if table.actor == FINISHED:
                done[number] = True
                self._begin(number)
            self._write(number)

    def _begin(self, number: int) -> None:
        self._tables[number].begin(self._np_random.bytes(SECRET_BYTES))

    def _write(self, number: int) -> None:
        """Write what the actor of a match sees into its row."""
        table, row, mask, encoding = self._tables[number], self._rows[number], self._masks[number], self.encoding
        mask[:] = self._no_mask
        encoding.observe(table.decision, row)
        encoding.allow(table.decision, mask)
        self._batch.actor[number] = table.actor

    def _let_opponents_choose(self) -> None:
        """Let policies choose until the learner is to act in all matches.

        A policy that fails leaves matches in which it was to act, so they have to begin anew.
        """
        self._has_begun, waiting = False, bool(self._opponents)
        while waiting:
            waiting = False
            for seat, policy in self._opponents.items():
                numbers = np.flatnonzero(self._batch.actor == seat)
                if len(numbers):
                    waiting = True
                    masks = self._batch.mask[numbers]
                    actions = policy(self._batch.obs[numbers], masks)
                    chosen = legal_ids(actions, masks, numbers, source=f"the policy of seat {seat}")
                    self._choose(chosen, numbers.tolist())
        self._has_begun = True


class RandomPolicy:
    """A policy that takes any legal id."""

    def __init__(self, seed: int | None = None) -> None:
        """Begin with a seed; ``None`` for any."""
        self.seed(seed)

    def seed(self, seed: int | None) -> None:
        """Begin anew with a seed."""
        self._rng = np.random.default_rng(seed)

    def __call__(self, _obs: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return a legal id for each row."""
        return np.asarray((self._rng.random(mask.shape, np.float32) * mask).argmax(axis=1))
