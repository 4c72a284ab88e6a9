"""Plays deals in pairs that look the same to a seat, and counts what is different of what it was sent."""

from collections import Counter
from random import Random
from typing import NamedTuple

from support.clocks import run_in_virtual_time
from torture.leaks import leaking
from torture.telling import Arena, Ending, differing_bytes
from torture.worlds import twins

from ordago import v1

_WHOLE_MATCH = 1000
"""More deals than any match has."""


class Pairs(NamedTuple):
    """Pairs of deals, by their seeds."""

    game: str
    seeds: range
    leak: type | None = None


def compared(pairs: Pairs) -> Counter[str]:
    """Play pairs of worlds that look the same to a seat, and count what is different of what it was sent."""
    return run_in_virtual_time(lambda: _compared(pairs))


async def _compared(pairs: Pairs) -> Counter[str]:
    # One arena for each world, so that connections are used for long, and still for the same.
    arenas = Arena(), Arena()
    count = Counter[str]()
    for seed in pairs.seeds:
        rng = Random(f"{pairs.game} {seed}")
        worlds = twins(pairs.game, rng, deals_before=_deals_before(seed))
        if pairs.leak is not None:
            worlds = worlds._replace(game=leaking(worlds.game, pairs.leak))
        ending = rng.choice(list(Ending))
        told = [
            await arena.told(worlds, world, ending, Random(seed))
            for arena, world in zip(arenas, (worlds.first, worlds.second), strict=True)
        ]
        differing = differing_bytes(*told)
        count += Counter(
            pairs=1,
            whole=_deals_before(seed) == _WHOLE_MATCH,
            alike=worlds.first == worlds.second,
            frames=len(told[0]),
            bytes=sum(len(frame) for _, frame in told[0]),
            refusals=sum(_says("refused", frame) for _, frame in told[0]),
            returns=sum(_says("match_start", frame) for _, frame in told[0]) - 1,
            differing=differing,
            unlike=differing > 0,
        )
        if differing and pairs.leak is None:
            count[f"seed {seed} of {pairs.game}"] = differing
    return count


def _says(kind: str, frame: bytes) -> bool:
    return v1.PlayResponse.FromString(frame).messages[0].WhichOneof("body") == kind


def _deals_before(seed: int) -> int:
    """Return how many deals come before: mostly none, at times some, seldom all but the last of the match."""
    if seed % 100 == 0:
        return _WHOLE_MATCH
    return 1 + seed % 3 if seed % 20 == 1 else 0
