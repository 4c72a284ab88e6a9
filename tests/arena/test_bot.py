"""Who waits for a bot: for a seat at it, and for its last match to end."""

import pytest
import trio
from support.connections import Lobby
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.seat import BotSeat

pytestmark = pytest.mark.virtual_time


class Waiting:
    """Somebody who waits for a seat."""

    def __init__(self, bot: Bot, nursery: trio.Nursery) -> None:
        self._bot = bot
        self.got: list[BotSeat | None] = []
        nursery.start_soon(self._wait)

    async def _wait(self) -> None:
        self.got.append(await self._bot.seat_when_free())


async def test_a_seat_is_free_when_a_match_is_over() -> None:
    _, bot = Lobby().enter(max_matches=1)
    taken = bot.take_seat()
    async with trio.open_nursery() as nursery:
        waiting = Waiting(bot, nursery)
        await wait_all_tasks_blocked()
        assert waiting.got == []
        taken.abandon("enough")
        await wait_all_tasks_blocked()
        assert len(waiting.got) == bot.matches == 1


async def test_a_bot_that_is_away_is_given_a_seat_when_it_is_back() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    connection.vanish()
    async with trio.open_nursery() as nursery:
        waiting = Waiting(bot, nursery)
        await wait_all_tasks_blocked()
        assert waiting.got == []
        lobby.come_back(connection)
        await wait_all_tasks_blocked()
        assert len(waiting.got) == bot.matches == 1


async def test_a_bot_that_is_lost_is_given_no_seat() -> None:
    """Whether it was full or away, all who wait learn of it."""
    connection, bot = Lobby().enter(max_matches=1)
    bot.take_seat()
    async with trio.open_nursery() as nursery:
        waiting = [Waiting(bot, nursery) for _ in range(3)]
        await wait_all_tasks_blocked()
        connection.say(v1.Goodbye())
        await wait_all_tasks_blocked()
        assert [one.got for one in waiting] == [[None]] * 3
    assert await bot.seat_when_free() is None


async def test_a_bot_is_idle_when_its_last_match_is_over() -> None:
    _, bot = Lobby().enter()
    await bot.idle()
    seats = [bot.take_seat() for _ in range(2)]
    idle = trio.Event()

    async def wait() -> None:
        await bot.idle()
        idle.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        for seat in seats:
            await wait_all_tasks_blocked()
            assert not idle.is_set()
            seat.abandon("enough")
        await wait_all_tasks_blocked()
        assert idle.is_set()
