"""Learn a game by self-play with Deep Monte Carlo, and write the policy as an ONNX model that plays as a bot.

::

    python train.py mus --updates 700 --out mus.onnx

All seats of all matches are played by one small network. It learns what each legal id brings on average until the end
of the deal, less what the opponents gain, and plays the best one. At first nearly all ids are drawn at random, later
few: random ends of deals are enough to compare two cards, and better players replace them bit by bit. The method is
that of DouZero (Zha and others, 2021).
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import ordago_bot
import ordago_gym
from ordago_bot.house.solid import SolidBot

MATCHES, STEPS = 256, 72  # of each update: 18,432 decisions
MINIBATCH = 512
RATE = 1e-3  # falls to 0 in a straight line
RANDOM, RANDOM_AFTER = 0.1, 0.6  # the share of random ids falls from 1 to this in the first 60 % of the updates
WIDTH = 256
REWARD_SCALE = {"mittlere": 3.0, "mus": 20.0}  # so that rewards lie between -1 and 1


class Network(nn.Module):
    """Two hidden layers, then a score for each action id: the reward that is expected after it."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, actions)
        )

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return the scores of all ids, legal or not: the model that is exported."""
        return self.layers(obs)

    @torch.no_grad()
    def best(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the legal id with the highest score for each row."""
        return np.where(mask, self(torch.from_numpy(obs)).numpy(), -np.inf).argmax(axis=1)


class Rollout:
    """Observations, choices and rewards of the steps of an update, ``[steps, matches, …]``."""

    def __init__(self, env: ordago_gym.VectorEnv, scale: float) -> None:
        shape, self.scale = (STEPS, env.n), scale
        self.obs = np.zeros((*shape, env.encoding.size), np.float32)
        self.mask = np.zeros((*shape, env.encoding.actions), np.int8)
        self.actor, self.action = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        self.reward, self.scored = np.zeros((*shape, env.seats), np.float32), np.zeros(shape, np.bool_)

    def collect(
        self,
        env: ordago_gym.VectorEnv,
        batch: ordago_gym.Batch,
        network: Network,
        *,
        random: float,
        rng: np.random.Generator,
    ) -> None:
        """Play the steps; ``batch`` is what the environment returned last, and stays what it returns."""
        for step in range(STEPS):
            self.obs[step], self.mask[step], self.actor[step] = batch.obs, batch.mask, batch.actor
            chosen = (rng.random(batch.mask.shape, np.float32) * batch.mask).argmax(axis=1)
            learnt = rng.random(env.n) >= random
            if learnt.any():
                chosen[learnt] = network.best(batch.obs[learnt], batch.mask[learnt])
            self.action[step] = chosen
            env.step(chosen)
            self.reward[step] = (lead(batch.reward) / self.scale).clip(-1, 1)
            self.scored[step] = batch.scored

    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """Return what the actor of each step gained until the end of the deal, and whether that is known already."""
        gained, known = np.zeros(self.actor.shape, np.float32), np.zeros(self.actor.shape, np.bool_)
        matches, seats = self.reward.shape[1:]
        later, ends = np.zeros((matches, seats), np.float32), np.zeros(matches, np.bool_)
        for step in reversed(range(STEPS)):
            later[self.scored[step]] = 0
            ends |= self.scored[step]
            later += self.reward[step]
            gained[step], known[step] = later[np.arange(matches), self.actor[step]], ends
        return gained, known


def lead(reward: np.ndarray) -> np.ndarray:
    """Return what each seat gained more than its opponents on average; in Mus the seats next to it are opponents."""
    if reward.shape[1] == 4:
        return reward - np.roll(reward, 1, axis=1)
    return reward - (reward.sum(axis=1, keepdims=True) - reward) / (reward.shape[1] - 1)


def learn(network: Network, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """Fit the scores of the ids that were chosen to the gains after them, where there was a choice."""
    gained, known = rollout.gains()
    free = known & (rollout.mask.sum(axis=2) > 1)
    obs, action, target = (torch.from_numpy(part[free]) for part in (rollout.obs, rollout.action, gained))
    for part in torch.randperm(len(obs)).split(MINIBATCH):
        scores = network(obs[part]).gather(1, action[part, None]).squeeze(1)
        loss = (scores - target[part]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def share(network: Network, game: str, matches: int) -> tuple[float, float]:
    """Return the share of opponents beaten in matches against ``solid`` with one world, and its 95 % margin."""

    def solid(match: ordago_bot.Match) -> ordago_bot.Bot:
        return SolidBot(match, worlds=1)

    mine = ordago_bot.policy(network.best, game=game)
    bots = [mine, solid, mine, solid] if game == "mus" else [mine, solid, solid]
    sets: dict[int, list[float]] = {}  # matches with the same cards, one for each seating
    for number, match in enumerate(ordago_bot.play_locally(bots, game, seed="share", matches=matches)):
        own, others = match.placings[0], [match.placings[seat] for seat, bot in enumerate(bots) if bot is solid]
        beaten = np.mean([(other > own) + 0.5 * (other == own) for other in others])
        sets.setdefault(number // len(bots), []).append(float(beaten))
    means = [np.mean(played) for played in sets.values()]
    return float(np.mean(means)), float(1.96 * np.std(means, ddof=1) / len(means) ** 0.5)


def export(network: Network, encoding: ordago_gym.Encoding, path: Path) -> None:
    """Write the network as an ONNX model that names what it was trained for."""
    import onnx

    torch.onnx.export(
        network.eval(),
        (torch.zeros(1, encoding.size),),
        str(path),
        input_names=["observation"],
        output_names=["scores"],
        dynamic_shapes={"obs": {0: torch.export.Dim("matches")}},
        external_data=False,
        verbose=False,
    )
    model = onnx.load(path)
    onnx.helper.set_model_props(model, ordago_gym.model_metadata(encoding))
    onnx.save(model, path)


def main() -> None:
    """Train, and print a line of the curve now and then."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(REWARD_SCALE))
    parser.add_argument("--updates", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--matches", type=int, default=300, help="matches for each line of the curve")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    env = ordago_gym.VectorEnv(given.game, MATCHES, rewards="deal")
    network = Network(env.encoding.size, env.encoding.actions)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, given.updates)
    batch, rollout, spent = env.reset(seed=given.seed), Rollout(env, REWARD_SCALE[given.game]), 0.0
    for update in range(1, given.updates + 1):
        begun = time.process_time()
        random = max(RANDOM, 1 - (1 - RANDOM) * update / (RANDOM_AFTER * given.updates))
        rollout.collect(env, batch, network, random=random, rng=rng)
        learn(network, optimizer, rollout)
        schedule.step()
        spent += time.process_time() - begun
        if update % max(given.updates // 8, 1) == 0:
            won, margin = share(network, given.game, given.matches)
            decisions = update * MATCHES * STEPS
            print(f"{spent / 60:6.1f} min {decisions:10,} decisions {won:6.1%} ± {margin:.1%}", flush=True)
    export(network, env.encoding, given.out)


if __name__ == "__main__":
    main()
