"""Events in which an entrant has few processes at once: those that are not needed make room for new ones."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.events import ENTRANTS, ReceiptedEvent

from ordago.arena.processes import supervisor
from ordago.arena.processes.launcher import BotProcess, Launch
from ordago.games import find_game
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder

pytestmark = pytest.mark.usefixtures("bots_in_threads")


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Census:
    """Counts the processes of each entrant."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.started: Counter[str] = Counter()
        self._launched = supervisor.launched
        monkeypatch.setattr(supervisor, "launched", self._counted)

    @asynccontextmanager
    async def _counted(self, launch: Launch) -> AsyncIterator[BotProcess]:
        entrant = launch.log.name.split(".")[0]
        self.now[entrant] += 1
        self.started[entrant] += 1
        self.most |= self.now
        try:
            async with self._launched(launch) as process:
                yield process
        finally:
            self.now[entrant] -= 1


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 2])
async def test_no_more_processes_run_than_may_and_each_seating_has_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    census = Census(monkeypatch)
    event = ReceiptedEvent(tmp_path, terms=f"duplicates = true\nprocesses = {most}")
    ladder = await event.run()
    assert len(ladder.results) == 6
    assert census.most == dict.fromkeys(ENTRANTS, most)
    assert all(census.started[name] >= 6 for name in ENTRANTS)
    assert event.warnings == []
    assert verify_folder(event.folder.path).findings == ()
    assert event.contradictions() == []


@pytest.mark.slow
async def test_two_seats_of_a_side_have_their_processes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches take turns at an entrant as a whole, so that no two of them wait for each other's partner."""
    census = Census(monkeypatch)
    event = ReceiptedEvent(tmp_path, terms="processes = 2")
    event.text = event.text.replace(
        'name = "mittlere"\noptions = { deals = 3 }', 'name = "mus"\noptions = { target = 10 }'
    )
    await event.run()
    assert census.most == dict.fromkeys(ENTRANTS, 2)
    assert verify_folder(event.folder.path).findings == ()
