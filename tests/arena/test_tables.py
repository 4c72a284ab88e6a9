"""Casual tables: who is seated with whom, and when."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from support.connections import FakeConnection, default
from support.halls import Hall
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.chance import SecretDeals, commitment
from ordago.record import replay

pytestmark = pytest.mark.virtual_time


@asynccontextmanager
async def hall() -> AsyncIterator[Hall]:
    """Run tables of one kind while the test does what it does, then stop all matches."""
    opened = Hall()
    async with opened.open():
        yield opened


def tables_of(*connections: FakeConnection) -> dict[str, list[list[str]]]:
    """Return the names at the tables that each connection was seated at."""
    return {
        str(number): [[player.name for player in start.players] for start in connection.of(v1.MatchStart)]
        for number, connection in enumerate(connections)
    }


async def test_a_match_begins_when_there_are_enough() -> None:
    async with hall() as opened:
        first = [opened.enter(name) for name in ("ana", "ben")]
        await wait_all_tasks_blocked()
        assert opened.tables.running == 0
        third = opened.enter("cleo")
        await wait_all_tasks_blocked()
        assert opened.tables.running == 1
        [[table], [same], [and_same]] = tables_of(*first, third).values()
        assert sorted(table) == ["ana", "ben", "cleo"]
        assert table == same == and_same
        assert sorted(connection.last(v1.MatchStart).seat for connection in (*first, third)) == [0, 1, 2]


async def test_nobody_plays_more_matches_than_he_takes_on_nor_two_seats_of_one() -> None:
    async with hall() as opened:
        limits = {"ana": 1, "ben": 2, "cleo": 3, "dora": 3, "emil": 1}
        connections = {name: opened.enter(name, max_matches=matches) for name, matches in limits.items()}
        await wait_all_tasks_blocked()
        for name, connection in connections.items():
            tables = [[player.name for player in start.players] for start in connection.of(v1.MatchStart)]
            assert len(tables) <= limits[name]
            assert all(len(set(table)) == 3 for table in tables)
        assert opened.tables.running >= 2


async def test_one_bot_alone_is_never_seated_with_itself() -> None:
    async with hall() as opened:
        connection = opened.enter("ana", max_matches=1000)
        await wait_all_tasks_blocked()
        assert not connection.of(v1.MatchStart)


async def test_bots_that_play_fewer_matches_come_first() -> None:
    """The first three could take all the seats that there are among themselves."""
    opened = Hall()
    for name in ("ana", "ben", "cleo"):
        opened.enter(name, max_matches=2)
    idle = opened.enter("dora", max_matches=1)
    async with opened.open():
        await wait_all_tasks_blocked()
        assert len(idle.of(v1.MatchStart)) == 1


async def test_matches_are_played_again_and_again_until_the_tables_close() -> None:
    opened = Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opened.tables.run)
        connections = [opened.enter(name, answering=default) for name in ("ana", "ben", "cleo")]
        while opened.tables.finished < 3:
            await trio.lowlevel.checkpoint()
        opened.tables.close()
    assert opened.tables.running == 0
    assert len(opened.records) == opened.tables.finished >= 3
    assert len({record.match_id for record in opened.records}) == len(opened.records)
    for connection in connections:
        assert len(connection.of(v1.MatchEnd)) == len(opened.records)


async def test_the_deals_can_be_checked_when_the_match_is_over() -> None:
    opened = Hall()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opened.tables.run)
        connections = [opened.enter(name, answering=default) for name in ("ana", "ben", "cleo")]
        while not opened.tables.running:
            await trio.lowlevel.checkpoint()
        opened.tables.close()
    record = opened.records[0]
    assert connections[0].of(v1.MatchStart)[0].commitment == commitment(record.secret)
    assert connections[0].of(v1.MatchEnd)[0].secret == record.secret
    assert not replay(record, deals=SecretDeals(record.secret, record.deal_seed)).problems


async def test_a_bot_that_was_away_between_two_matches_is_seated_again() -> None:
    async with hall() as opened:
        connections = [opened.enter(name) for name in ("ana", "ben")]
        connections[0].vanish()
        await wait_all_tasks_blocked()
        opened.enter("cleo")
        await wait_all_tasks_blocked()
        assert opened.tables.running == 0
        again = opened.come_back(connections[0])
        await wait_all_tasks_blocked()
        assert opened.tables.running == 1
        assert len(again.of(v1.MatchStart)) == 1


async def test_a_bot_that_comes_back_counts_once() -> None:
    async with hall() as opened:
        connection = opened.enter("ana", max_matches=2)
        opened.enter("ben", max_matches=2)
        for _ in range(3):
            connection = opened.come_back(connection)
        await wait_all_tasks_blocked()
        assert opened.tables.running == 0


async def test_bots_that_are_gone_are_not_seated() -> None:
    async with hall() as opened:
        gone = [opened.enter(name) for name in ("ana", "ben")]
        gone[0].vanish()
        gone[1].say(v1.Goodbye())
        present = [opened.enter(name) for name in ("cleo", "dora", "emil")]
        await wait_all_tasks_blocked()
        assert [len(connection.of(v1.MatchStart)) for connection in (*gone, *present)] == [0, 0, 1, 1, 1]
