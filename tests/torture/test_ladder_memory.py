"""The memory of a ladder's server does not grow with the matches that it has played."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.connections import FakeConnection
from support.figures import Note, Size
from support.ladder_halls import LADDER, LadderHall, ladder_hall, without_threads
from torture.hall import memory

from ordago_ladder.standing.tables.committer import Committer

pytestmark = pytest.mark.virtual_time
# The same three bots play all matches, and wait for each other the less the shorter house bots are waited for.
_FILE = LADDER.replace("epoch_hours = 1", "epoch_hours = 1\nepoch_matches = 100\nlone_seconds = 0.1")
_MOST_BLOCKS = 120
"""The most blocks that a match may leave behind. Up to 45 were measured while caches fill, such as who met whom; a
match that is kept takes 330."""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)


async def left_by_a_match(hall: LadderHall, *, first: int, more: int) -> float:
    """Return the blocks that stay for each match, once a ladder has played some that fill its caches."""
    async with hall.open():
        bots = [hall.enter(name) for name in ("ana", "ben", "cleo")]
        await hall.until(lambda: hall.tables.finished >= first)
        before, played = _blocks(bots), hall.tables.finished
        await hall.until(lambda: hall.tables.finished >= first + more)
        return (_blocks(bots) - before) / (hall.tables.finished - played)


def _blocks(bots: Sequence[FakeConnection]) -> int:
    """Return the blocks that are allocated, without what the bots of a test remember."""
    for bot in bots:
        bot.heard.clear()
        bot.heard_at.clear()
        bot.departures.clear()
    return memory().blocks


async def test_a_match_leaves_nothing_behind(tmp_path: Path, size: Size, note: Note) -> None:
    with ladder_hall(tmp_path / "ladder", _FILE) as hall:
        left = await left_by_a_match(hall, first=size(50, 400), more=size(100, 3_000))
    note("blocks left by a match", left, bound=str(_MOST_BLOCKS))
    assert left < _MOST_BLOCKS


async def test_a_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: Note) -> None:
    commit, kept = Committer.commit, list[object]()

    async def leaking(self: Committer, match: object) -> None:
        kept.append(match)
        await commit(self, match)  # type: ignore[arg-type]  # as it is given

    monkeypatch.setattr(Committer, "commit", leaking)
    with ladder_hall(tmp_path / "ladder", _FILE) as hall:
        left = await left_by_a_match(hall, first=20, more=40)
    note("blocks left by a match that is kept", left)
    assert left > _MOST_BLOCKS
