"""The games as environments of PettingZoo, in which one agent acts after the other.

Observations are dictionaries of ``observation`` and ``action_mask``, and the mask is in the info as well. Only the
agent that acts has anything to choose: the masks of all others, waiting or dead, are all 1, so that none is ever all 0.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ordago.chance import SECRET_BYTES
from ordago.game import FINISHED
from ordago_gym.arrays import mask_of, observation_of, space_of
from ordago_gym.encoding import Encoding
from ordago_gym.render import Renderer
from ordago_gym.table import Rewards, Table

Observation: TypeAlias = dict[str, NDArray[Any]]
ILLEGAL_REWARD: Final = -1.0
"""The reward for an illegal id, which ends the match. The other agents get 0, as in PettingZoo's own wrapper."""


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game as an environment. Seat 0 is ``player_0``.

    An action with several open parts takes several steps of one agent: the cards of a discard, for instance.
    """

    def __init__(self, table: Table, *, render_mode: str | None = None, max_cycles: int | None = None) -> None:
        """Play at a table; see ``aec`` for the rest."""
        super().__init__()
        encoding = table.encoding
        self.metadata = {"name": encoding.id, "render_modes": list(Renderer.modes), "is_parallelizable": False}
        self.render_mode = render_mode
        self.encoding: Final[Encoding] = encoding
        self._table: Final = table
        self._renderer: Final = None if render_mode is None else Renderer(table, render_mode)
        self._max_cycles: Final = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(table.seats)]
        self._seat_of: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: space_of(encoding) for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(encoding.actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._np_random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of an agent's action ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, object] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Begin a match. All shuffles follow from the seed; without one, from those of the matches before."""
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        if self._renderer is not None:
            self._renderer.begin()
        self._table.begin(self._np_random.bytes(SECRET_BYTES))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._steps = 0
        self._all = np.ones(self.encoding.actions, np.int8)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._all} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """Let the agent act whose turn it is."""
        agent = self.agent_selection = self.possible_agents[self._table.actor]
        self._mask = mask_of(self.encoding, self._table.decision)
        self.infos[agent] = {"action_mask": self._mask}

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, whether it is to act or not."""
        seat, table = self._seat_of[agent], self._table
        acts = seat == table.actor and not self.terminations.get(agent, True)
        decision = table.decision if acts else table.watching(seat)
        return {
            "observation": observation_of(self.encoding, decision),
            "action_mask": self._mask if acts else self._all,
        }

    def step(self, action: int | None) -> None:
        """Let the selected agent choose an action id, or ``None`` once it is dead.

        An illegal id ends the match: the agent is rewarded with ``ILLEGAL_REWARD``, and its info says why.

        Raises:
            ValueError: the id is outside the action space, or no id is due.
            RuntimeError: no match has begun.
        """
        if not self.agents:
            raise RuntimeError("no match is in play: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._checked(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {"action_mask": self._all}
        if self._mask[number]:
            self._choose(number)
        else:
            self._end_by_illegal(agent, number)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _checked(self, agent: str, action: object) -> int:
        """Return an action as an id."""
        if (
            isinstance(action, int | np.integer)
            and not isinstance(action, bool)
            and 0 <= action < self.encoding.actions
        ):
            return int(action)
        ids = f"a whole number from 0 to {self.encoding.actions - 1}"
        raise ValueError(f"{agent} chose {action!r}: an action of {self.encoding.id} is {ids}")

    def _choose(self, number: int) -> None:
        table = self._table
        table.choose(number)
        if table.rewards is not None:
            self.rewards = dict(zip(self.possible_agents, table.rewards, strict=True))
            table.rewards = None
        self._steps += 1
        if table.actor == FINISHED:
            self._end(terminated=True)
        elif self._steps == self._max_cycles:
            self._end(terminated=False)
        else:
            self._select()

    def _end(self, *, terminated: bool) -> None:
        """End the match for all agents."""
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        self._deads_step_first()

    def _end_by_illegal(self, agent: str, number: int) -> None:
        legal = np.flatnonzero(self._mask)
        self.infos[agent] = {
            "action_mask": self._all,
            "illegal": f"{agent} chose the illegal id {number}, which ends the match; legal were: "
            + ", ".join(map(str, legal)),
        }
        self.rewards[agent] = ILLEGAL_REWARD
        self._end(terminated=True)

    def render(self) -> str | NDArray[Any] | None:
        """Return the table with all hands as ``render_mode`` says: text, a picture, or ``None`` if it is printed."""
        if self._renderer is None:
            gymnasium.logger.warn(
                f"{self.encoding.id} has no render_mode; it takes one of: {', '.join(Renderer.modes)}"
            )
            return None
        return self._renderer.render()

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""


def aec(
    name: str,
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    rewards: str = Rewards.MATCH,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> GameEnv:
    """Return a game as an environment of PettingZoo.

    Args:
        name: the game, for instance ``mus``, or with the version of the encoding, ``mus_v0``.
        seats: the number of players; ``None`` for the smallest that the game has.
        options: options of the game, for instance ``{"target": 30}``.
        rewards: ``match`` for a reward from -1 to 1 at the end, ``deal`` for the points of each deal at its end.
        render_mode: ``ansi`` for text, ``human`` to print it, ``rgb_array`` for a picture of it, or ``None``.
        max_cycles: the number of steps after which a match is cut off; ``None`` for no such limit.

    Raises:
        EncodingError: there is no such game, version or number of players.
        OptionError: an option that the game does not have, or a value that it cannot take.
        ValueError: rewards or a render mode that there are not.
    """
    kind = Rewards.named(rewards)
    if render_mode not in (None, *Renderer.modes):
        raise ValueError(f"render_mode is one of: {', '.join(Renderer.modes)}; not {render_mode!r}")
    table = Table(name, seats=seats, options=options, rewards=kind)
    return GameEnv(table, render_mode=render_mode, max_cycles=max_cycles)
