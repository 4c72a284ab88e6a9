"""A policy that chooses by the bytes that it sees: whoever sees the same plays the same. As a program it is a bot."""

import hashlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ordago_bot


class HashingPolicy:
    """Chooses by a digest of observation and mask, and keeps the digests."""

    def __init__(self, path: Path | None = None) -> None:
        self.seen: list[str] = []
        self._path = path

    def __call__(self, obs: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[Any]:
        digests = [
            hashlib.sha256(row.tobytes() + legal.tobytes()).hexdigest() for row, legal in zip(obs, mask, strict=True)
        ]
        self.seen += digests
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{digest}\n" for digest in digests)
        legal = [np.flatnonzero(row) for row in mask]
        return np.array([ids[int(digest, 16) % len(ids)] for ids, digest in zip(legal, digests, strict=True)])


if __name__ == "__main__":
    game, path = sys.argv.pop(1), Path(sys.argv.pop(1))
    ordago_bot.run(ordago_bot.policy(HashingPolicy(path), game=game), name="hashing", games=[game])
