"""Whatever comes in while matches are played, nothing breaks, nothing grows, and nobody else is hurt."""

from collections import Counter

from support.figures import Note, Size
from torture.hall import HONEST, Part, attacked
from torture.spreading import spread

_SEED = "arena"
_PART = 100_000
_MORE_OBJECTS = 40_000
_MORE_BYTES = 16 * 2**20


def test_the_others_play_on(size: Size, note: Note) -> None:
    frames = size(20_000, 500_000)
    parts = [Part(min(_PART, frames), f"{_SEED} {first}") for first in range(0, frames, _PART)]
    halls = spread(attacked, parts)
    count = sum(halls, Counter[str]())
    note("frames", count["frames"])
    note("seed", repr(_SEED))
    note("unhandled exceptions", 0, bound="0")
    note("connections of attackers", count["connections"])
    note("answers refused", count["refused"])
    note("matches", count["matches"])
    note("decisions of honest bots", count["honest decisions"])
    note("faults of honest bots", count[f"{HONEST} faults"], bound="0")
    objects, grown = (max(hall[name] for hall in halls) for name in ("more objects", "more bytes"))
    note("more objects after the warm-up", objects, bound=f"{_MORE_OBJECTS:,}")
    note("more memory after the warm-up", grown / 2**20, "MiB", bound=f"{_MORE_BYTES // 2**20}")
    assert count["frames"] == frames
    assert not count[f"{HONEST} faults"]
    assert count["attacker faults"] > count["matches"], "the attackers do harm to themselves"
    assert all(count[fault] for fault in ("FAULT_ILLEGAL", "FAULT_STALE", "FAULT_TOO_LATE", "FAULT_FLOODING")), count
    assert count["honest decisions"] > frames / 100
    assert objects <= _MORE_OBJECTS
    assert grown <= _MORE_BYTES
