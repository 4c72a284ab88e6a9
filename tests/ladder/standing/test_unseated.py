"""Bots that wait for others who do not come: they, the log, health and metrics are told why."""

import logging
import time
from pathlib import Path

import pytest
import trio
from support.connections import silent
from support.ladder_halls import ladder_hall, without_threads

from ordago import v1
from ordago.games import find_game
from ordago.ops.web import health
from ordago_ladder.settings import common as common_settings

pytestmark = pytest.mark.virtual_time
WHY = "mittlere takes 3: 1 other accounts and 0 house bots are available"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.mark.slow
async def test_where_too_few_wait_they_are_told_once_and_so_are_log_and_health_until_it_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with ladder_hall(tmp_path) as hall:
        counters = hall.telemetry.counters
        counters.turned_at = time.monotonic()
        pair = [hall.enter(name, answering=silent) for name in ("ana", "ben")]
        async with hall.open():
            await trio.sleep(25)
            assert not [connection for connection in pair if connection.of(v1.EventNotice)], "others may come yet"
            await trio.sleep(600)
            for name, connection in zip(("ana", "ben"), pair, strict=True):
                [notice] = connection.of(v1.EventNotice)
                assert notice.sentence == f"{name!r} waits for opponents: {WHY}"
            assert health(counters) == ("200 OK", f"ok, but 2 bots cannot be seated: {WHY}")
            hall.enter("cleo", answering=silent)
            await hall.until(lambda: all(connection.of(v1.MatchStart) for connection in pair))
            await hall.until(lambda: not counters.unseated)
            assert health(counters) == ("200 OK", "ok")
    told = [record.message for record in caplog.records]
    assert told.count("bots wait and cannot be seated") == told.count("all waiting bots can be seated again") == 1


async def test_the_waits_of_those_that_have_room_are_counted_by_game_until_they_are_seated(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        waits = hall.telemetry.counters.ladder.waits
        assert waits is not None
        assert waits() == {"mittlere": []}
        pair = [hall.enter(name, answering=silent) for name in ("ana", "ben")]
        async with hall.open():
            await trio.sleep(1)
            [ana, ben] = waits()["mittlere"]
            assert ana >= ben >= 0
            hall.enter("cleo", answering=silent)
            await hall.until(lambda: all(connection.of(v1.MatchStart) for connection in pair))
            assert waits() == {"mittlere": []}
