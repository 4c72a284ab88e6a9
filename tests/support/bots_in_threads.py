"""Bots of the house as threads of this process instead of processes of their own, which take most of a second each.

For events whose claim is what is played and published, and not what becomes of a process.
"""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from ordago.arena.processes import supervisor
from ordago.arena.processes.launcher import Launch
from ordago.version import __version__
from ordago_bot.house import HOUSE_BOTS
from ordago_bot.player import Player
from ordago_bot.receipts import ReceiptsFile
from ordago_bot.transport import Stop, play


class BotThread:
    """What stands for the process of a bot: it ends when its bot does, in order."""

    number = 0
    never_ran = False
    ended_because = ""

    def __init__(self) -> None:
        self._over = trio.Event()

    async def wait(self) -> int:
        await self._over.wait()
        return 0

    async def play(self, launch: Launch, stop: Stop) -> None:
        playing = partial(play, _player(launch), address=launch.environment["ORDAGO_ADDRESS"], token=launch.token)
        try:
            await trio.to_thread.run_sync(partial(playing, stop=stop), limiter=trio.CapacityLimiter(1))
        finally:
            # Whoever is stopped before it begins is over, too.
            self._over.set()


def _player(launch: Launch) -> Player:
    """Return what plays as ``python -m ordago_bot NAME --setting VALUE`` does."""
    name, *words = launch.command[launch.command.index("ordago_bot") + 1 :]
    house = HOUSE_BOTS[name]
    given = {key.removeprefix("--"): int(value) for key, value in zip(words[::2], words[1::2], strict=True)}
    settings = {key: given.pop(key, setting.default) for key, setting in house.settings.items()}
    assert not given, "what no bot of the house takes"
    receipts = launch.environment.get("ORDAGO_RECEIPTS")
    return Player(
        house.load(settings),
        name=name,
        version=__version__,
        nonce=bytes.fromhex(launch.environment.get("ORDAGO_NONCE", "")),
        keep=ReceiptsFile(receipts).keep if receipts else None,
    )


@asynccontextmanager
async def launched(launch: Launch) -> AsyncIterator[BotThread]:
    """Start a bot, and end it at the end of the context, as the launcher of processes does."""
    launch.log.parent.mkdir(parents=True, exist_ok=True)
    launch.log.touch()
    bot, leave = BotThread(), threading.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bot.play, launch, Stop(leave, leave))
        try:
            yield bot
        finally:
            leave.set()
            with trio.CancelScope(shield=True):
                await bot.wait()


@pytest.fixture
def bots_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let events launch their bots of the house as threads."""
    monkeypatch.setattr(supervisor, "launched", launched)
