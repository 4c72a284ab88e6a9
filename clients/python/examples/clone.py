"""Learn to play as others do, from the decisions of their matches, and write the policy as an ONNX model.

::

    ordago decisions out/event --out decisions.parquet
    python clone.py mus decisions.parquet --out clone.onnx

Behaviour cloning: the network is trained to choose the ids that were chosen. Network and export are those of train.py.
"""

import argparse
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
from train import Network, export, share

import ordago_gym

MINIBATCH = 1024
RATE = 1e-3  # falls to 0 in a straight line


def read(path: Path, encoding: ordago_gym.Encoding) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return observations, masks and ids of the free choices that bots made themselves, with this encoding."""
    parts: list[list[np.ndarray]] = [[], [], []]
    for rows in pq.ParquetFile(path).iter_batches(columns=["encoding", "own", "observation", "mask", "action"]):
        kept = rows.filter(pc.and_(rows["own"], pc.equal(rows["encoding"], encoding.id)))
        mask = kept["mask"].flatten().to_numpy().reshape(-1, encoding.actions)
        free = mask.sum(axis=1) > 1
        obs = kept["observation"].flatten().to_numpy().reshape(-1, encoding.size)
        for part, column in zip(parts, (obs, mask, kept["action"].to_numpy()), strict=True):
            part.append(column[free])
    obs, mask, action = (torch.from_numpy(np.concatenate(part)) for part in parts)
    return obs, mask, action.long()


def learn(network: Network, data: tuple[torch.Tensor, ...], epochs: int) -> None:
    """Fit the network to the choices, and print its mean loss in each epoch."""
    obs, mask, action = data
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE)
    steps = epochs * -(-len(obs) // MINIBATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for epoch in range(1, epochs + 1):
        losses = []
        for part in torch.randperm(len(obs)).split(MINIBATCH):
            scores = network(obs[part]).masked_fill(mask[part] == 0, -1e9)
            loss = torch.nn.functional.cross_entropy(scores, action[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch:3}: loss {np.mean(losses):.3f}", flush=True)


def agreement(network: Network, data: tuple[torch.Tensor, ...]) -> float:
    """Return the share of choices in which the network chooses the same id."""
    obs, mask, action = (part.numpy() for part in data)
    return float((network.best(obs, mask) == action).mean())


def main() -> None:
    """Learn, print how well that went, and export the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=["mittlere", "mus"])
    parser.add_argument("decisions", type=Path)
    parser.add_argument("--unseen", type=Path, help="decisions of matches with other deals, to compare with")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--matches", type=int, default=600, help="matches against solid with one world")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    encoding = ordago_gym.encoding_of(given.game)
    network, data = Network(encoding.size, encoding.actions), read(given.decisions, encoding)
    print(f"{len(data[0]):,} free choices")
    learn(network, data, given.epochs)
    print(f"chooses the same: {agreement(network, data):.1%}")
    if given.unseen:
        print(f"with other deals: {agreement(network, read(given.unseen, encoding)):.1%}")
    export(network, encoding, given.out)
    print("share of opponents beaten: {:.1%} ± {:.1%}".format(*share(network, given.game, given.matches)))


if __name__ == "__main__":
    main()
