"""Remote entrants of whom fewer processes are here than the event file says."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from support.event_hall import REMOTE, Hall

from ordago import v1
from ordago.arena.bot import Bot
from ordago.games import find_game
from ordago.record.ledgers.event import FewerProcessesEntry, Processes
from ordago_ladder.entrants.remote_entrant import AbsentError
from ordago_ladder.settings import common as common_settings

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.fixture(autouse=True)
def _no_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database be asked in trio's thread, since a virtual clock does not wait for others."""

    async def run_sync(function: Callable[..., object], *arguments: object) -> object:
        await trio.lowlevel.checkpoint()
        return function(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    yield hall
    hall.accounts.close()


async def test_it_is_told_how_many_processes_of_an_entrant_are_here(hall: Hall) -> None:
    """On the wire and at the terminal: who has come is not told that it did not."""
    yours = hall.come(hall.token("you"))
    assert "1 of 2 processes is connected" in yours.last(v1.EventNotice).sentence
    with trio.move_on_after(10):
        await hall.remote.check_in(awaited=REMOTE, new=REMOTE)
    assert hall.known == {"mine": "", "yours": "1 of 2 processes is connected"}
    hall.come(hall.token("you"))
    hall.remote.begin({"yours": 4}, {}, absent=())
    assert "processes" not in yours.last(v1.EventNotice).sentence


async def test_who_came_with_fewer_processes_plays_with_these(hall: Hall) -> None:
    """What is planned for the other is played by the one that is here, at once, but never two seats of one table."""
    yours = hall.come(hall.token("you"))
    assert hall.remote.fewer_processes(REMOTE) == FewerProcessesEntry(entrants=(Processes(name="yours", processes=1),))
    began = trio.current_time()
    for number in (0, 1):
        seat = await hall.seat("yours", number)
        assert seat is not None
    assert trio.current_time() == began
    assert any("1 of 2 processes is connected" in told for told in hall.told)
    table: list[Bot] = []
    assert await hall.remote.life("yours", 0, table).seat() is not None
    with pytest.raises(AbsentError, match="too few processes: 1 of 2 processes is connected"):
        await hall.remote.life("yours", 1, table).seat()
    assert yours.status is None


async def test_who_loses_a_process_goes_on_with_the_other_when_it_was_waited_for(hall: Hall) -> None:
    token = hall.token("you")
    first, second = hall.come(token), hall.come(token)
    assert hall.remote.fewer_processes(["yours"]) is None
    first.vanish()
    began = trio.current_time()
    assert await hall.seat("yours", 0) is not None
    assert trio.current_time() - began == pytest.approx(100), "return_timeout"
    assert await hall.seat("yours", 0) is not None
    assert trio.current_time() - began == pytest.approx(100)
    assert second.status is None


async def test_a_process_that_is_away_for_a_moment_counts_as_one_that_came(hall: Hall) -> None:
    token = hall.token("you")
    hall.come(token).say(v1.Goodbye())
    hall.come(token)
    hall.come(token).vanish()
    assert hall.remote.fewer_processes(["yours"]) is None, "it may come back"
