"""A pause of seating on a ladder: running matches go on, no new one begins, and the server does not spin meanwhile."""

from pathlib import Path

import pytest
import trio
from support.connections import default, silent
from support.ladder_halls import ladder_hall, without_threads

from ordago import v1
from ordago.games import find_game
from ordago_ladder.settings import common as common_settings

pytestmark = pytest.mark.virtual_time


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


async def test_a_pause_that_stands_at_the_start_holds_until_it_is_over(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        bots = [hall.enter(name, answering=silent) for name in ("ana", "ben", "cleo")]
        hall.tables.pause(paused=True)
        async with hall.open():
            looks = hall.tables._take_note  # type: ignore[attr-defined]
            counted: list[float] = []
            hall.tables._take_note = lambda: (counted.append(trio.current_time()), looks())[1]  # type: ignore[method-assign]
            await trio.sleep(600)
            assert not [bot for bot in bots if bot.of(v1.MatchStart)]
            assert len(counted) <= 601, "a table that is due does not wake the loop again and again"
            hall.tables.pause(paused=False)
            await hall.until(lambda: all(bot.of(v1.MatchStart) for bot in bots))


@pytest.mark.slow
async def test_matches_that_run_are_played_to_their_end_and_count(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        bots = [hall.enter(name, answering=default) for name in ("ana", "ben", "cleo")]
        async with hall.open():
            await hall.until(lambda: all(bot.of(v1.MatchStart) for bot in bots))
            hall.tables.pause(paused=True)
            # A table that was seated before the pause may not have begun yet.
            await hall.until(lambda: not hall.tables.running)
            begun = hall.telemetry.counters.game("mittlere").matches_begun
            assert hall.results == begun
            await trio.sleep(600)
            assert hall.telemetry.counters.game("mittlere").matches_begun == begun
