"""Bots of the house: started when somebody comes, ended when nobody was here for a while, and one that fails."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from support.connections import Lobby, silent
from support.ladder_halls import LADDER, ladder_hall, without_threads

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.processes.supervisor import FailedToStartError
from ordago.arena.seat import BotSeat
from ordago.games import find_game
from ordago.record.ledgers.ladder import read_epoch
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.settings import parse_ladder
from ordago_ladder.standing.tables import house_bots
from ordago_ladder.standing.tables.house_bots import HouseBots

pytestmark = pytest.mark.virtual_time
HOUSE = "\n".join(f"[[house]]\nname = '{name}'\nhouse = 'random'" for name in ("one", "two"))


class Life:
    """A process of a bot that comes in at once, or never. It plays at no table."""

    fails = False

    def __init__(self, *, name: str, launch: Any, **_how: object) -> None:
        self.name, self._log = name, launch.log
        self.starts = self.ends = 0

    async def bot(self) -> Bot:
        await trio.lowlevel.checkpoint()
        self.starts += 1
        if self.fails:
            raise FailedToStartError(self.name, "exited at once with code 1", self._log)
        return Bot.__new__(Bot)

    async def end(self) -> None:
        await trio.lowlevel.checkpoint()
        self.ends += 1

    def stop(self) -> None:
        """There is nothing to stop."""


@pytest.fixture(autouse=True)
def _no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)
    monkeypatch.setattr(house_bots, "Supervisor", Life)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[HouseBots]:
    house = HouseBots(parse_ladder(LADDER + HOUSE).houses, logs=folder)
    house.come_in_at(object())  # type: ignore[arg-type]  # nobody comes in there
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.run)
        yield house
        nursery.cancel_scope.cancel()


def counts(house: HouseBots) -> list[tuple[int, int]]:
    lives: list[Any] = list(house._supervisors.values())
    return [(life.starts, life.ends) for life in lives]


async def test_they_end_five_minutes_after_the_last_has_gone_and_come_again_with_the_next(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        await trio.sleep(10)
        assert counts(house) == [], "nobody is started for nobody"
        for _ in range(40):
            house.warm_up()
            await trio.sleep(10)
        assert counts(house) == [(1, 0)] * 2
        await trio.sleep(280)
        assert counts(house) == [(1, 0)] * 2, "the author mends his bot"
        await trio.sleep(320)
        assert counts(house) == [(1, 1)] * 2
        house.warm_up()
        await trio.sleep(1)
        assert counts(house) == [(2, 1)] * 2


async def test_they_do_not_end_while_one_of_them_plays(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        house.warm_up()
        house.take("one")
        await trio.sleep(2_000)
        assert counts(house) == [(1, 0)] * 2
        house.leave("one")
        await trio.sleep(301)
        assert counts(house) == [(1, 1)] * 2


async def test_one_that_cannot_be_started_rests_and_is_tried_again_by_a_new_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Life, "fails", True)
    async with running(tmp_path) as house:
        with pytest.raises(FailedToStartError):
            await house.seat("one")
        assert list(house.ready()) == ["two"]
        await trio.sleep(31)
        assert list(house.ready()) == ["one", "two"]
        assert not counts(house), "a life that was given up would never start again"


async def test_a_house_bot_that_fails_begins_no_match_is_told_by_name_and_holds_up_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Life, "fails", True)
    caplog.set_level(logging.INFO)
    with ladder_hall(tmp_path, LADDER + HOUSE) as hall:
        hall.ladder._house.come_in_at(object())  # type: ignore[arg-type]  # nobody comes in there
        lone = hall.enter("ana", answering=silent)
        async with hall.open():
            await trio.sleep(100)
            assert not lone.of(v1.MatchStart), "nobody hears of a match that did not begin"
            assert not hall.queries.matches().matches, "nothing is entered, and nothing is void"
            hall.enter("ben")
            hall.enter("cleo")
            await hall.until(lambda: bool(lone.of(v1.MatchStart)))
    told = [record for record in caplog.records if record.message == "a house bot is missing"]
    assert 3 <= len(told) <= 10, "it is tried again and again, and not without end"
    assert {record.levelname for record in told} == {"ERROR"}
    for error in (str(record.__dict__["error"]) for record in told):
        name = "one" if "'one'" in error else "two"
        assert f"'{name}' exited at once with code 1" in error
        assert f"{tmp_path}/logs/{name}.log" in error
    assert not [record for record in caplog.records if record.exc_info]


class Keeper:
    name = "one"

    def replace(self) -> None:
        """There is no other process."""


async def test_a_match_in_which_a_house_bot_fails_is_void_in_the_ledger_and_nobody_forfeits_or_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with ladder_hall(tmp_path, LADDER + HOUSE) as hall:
        processes = {name: Lobby().enter(answering=silent)[1] for name in ("one", "two")}
        for bot in processes.values():
            bot.channel.keeper = Keeper()

        async def seat(_house: HouseBots, name: str) -> tuple[Bot, BotSeat]:
            await trio.lowlevel.checkpoint()
            return processes[name], processes[name].take_seat()

        monkeypatch.setattr(HouseBots, "seat", seat)
        lone = hall.enter("ana", answering=silent)
        async with hall.open():
            await hall.until(lambda: bool(lone.of(v1.MatchStart)))
            processes["one"].give_up(v1.FAULT_CRASHED, "the process of the bot ended")
            await hall.until(lambda: bool(lone.of(v1.MatchEnd)))
            [void] = read_epoch(list(hall.queries.ledger(1))).voids
            assert void.reason == "'one', a bot of the server itself, could not go on: the process of the bot ended"
            assert lone.last(v1.MatchEnd).sentence == void.reason
            assert not lone.of(v1.Forfeited)
            assert not hall.results
    assert "match void: a house bot failed" in [record.message for record in caplog.records]
    assert not [record for record in caplog.records if record.exc_info]
