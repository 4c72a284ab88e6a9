"""Not one byte that a connection is sent depends on what its seat may not see: deals in pairs, in all games."""

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from support.clocks import run_in_virtual_time
from support.figures import Note, Size
from torture.leaks import TellingDefault, TellingOrder, TellingRefusal, leaking
from torture.spreading import spread
from torture.telling import Arena, Ending, differing_bytes
from torture.worlds import WAYS, twins

from ordago import v1

_CHUNK = 100
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
            refusals=sum(_is_refusal(frame) for _, frame in told[0]),
            differing=differing,
            unlike=differing > 0,
        )
        if differing and pairs.leak is None:
            count[f"seed {seed} of {pairs.game}"] = differing
    return count


def _is_refusal(frame: bytes) -> bool:
    return v1.PlayResponse.FromString(frame).messages[0].HasField("refused")


def _deals_before(seed: int) -> int:
    """Return how many deals come before: mostly none, at times some, seldom all but the last of the match."""
    if seed % 50 == 0:
        return _WHOLE_MATCH
    return seed % 4 if seed % 10 == 1 else 0


@pytest.mark.parametrize("game", sorted(WAYS))
def test_not_one_byte_differs(game: str, size: Size, note: Note) -> None:
    seeds = size(25, 2_000)
    chunks = [Pairs(game, range(first, min(first + _CHUNK, seeds))) for first in range(0, seeds, _CHUNK)]
    count = sum(spread(compared, chunks), Counter[str]())
    note("pairs of deals", count["pairs"])
    note("of these whole matches up to the last deal", count["whole"])
    note("frames compared", count["frames"])
    note("refusals among them", count["refusals"])
    note("bytes compared", count["bytes"])
    note("bytes that differ", count["differing"], bound="0")
    assert not count["differing"], f"a seat can tell deals apart that look the same to it: {count}"
    assert count["pairs"] == seeds
    assert count["alike"] < seeds / 10, "nearly all pairs are of two different deals"
    assert count["refusals"] > seeds


@pytest.mark.parametrize("leak", [TellingRefusal, TellingOrder, TellingDefault])
@pytest.mark.parametrize("game", sorted(WAYS))
def test_a_leak_is_found(game: str, leak: type) -> None:
    """The comparison can fail, for each game and for what a decision and a refusal say."""
    assert compared(Pairs(game, range(1, 8), leak))["unlike"] >= 2
