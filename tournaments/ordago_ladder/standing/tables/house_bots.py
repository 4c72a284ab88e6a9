"""The bots of the house: started when they are needed, kept while they may be needed again, and ended after that."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from ordago.arena.bot import Bot
from ordago.arena.processes.errors import NotStartableError
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Host, Supervisor
from ordago.arena.seat import BotSeat
from ordago_bot.house import PAUSE
from ordago_ladder.standing.settings import HouseSettings
from ordago_ladder.standing.tables.repository import Sitter

_START_SECONDS: Final = 20.0
_MOST_AT_ONCE: Final = 32
"""So many matches each of them plays at once at most: those who come alone in great numbers slow down nobody."""
_WARM_SECONDS: Final = 300.0
"""For so long they are kept when nobody is here: an author mends his bot and comes again."""
_REST_SECONDS: Final = 30.0
"""For so long a bot that could not be started is not tried again."""


def _told_to_nobody(_sentence: str) -> None:
    """Tell nobody."""


class HouseBots:
    """All bots of the house, each one process at most."""

    def __init__(
        self,
        bots: Iterable[HouseSettings],
        *,
        logs: Path,
        pause_ms: int = 0,
        crashed: Callable[[str], None] = _told_to_nobody,
    ) -> None:
        """Prepare them; none is started yet.

        Args:
            bots: who they are.
            logs: the folder for what they print.
            pause_ms: for how long they wait before each answer, so that people can follow.
            crashed: is told in one sentence when a process ended, or hung, though it was needed.
        """
        self._crashed = crashed
        self._pace = (f"--{PAUSE}", str(pause_ms)) if pause_ms else ()
        self._settings = {bot.name: bot for bot in bots}
        self._host: Host | None = None
        self._logs = logs
        self._lives: dict[str, Supervisor] = {}
        self._playing = Counter[str]()
        self._wanted = trio.Event()
        self._somebody_here = 0.0
        """When somebody was here last who may need them."""
        self._resting: dict[str, float] = {}
        """Until when each rests that could not be started."""

    def come_in_at(self, host: Host) -> None:
        """Say where they come in. Nobody can be started before."""
        self._host = host

    def sitter(self, name: str) -> Sitter:
        """Return who a bot is at a table.

        Raises:
            KeyError: there is none of this name.
        """
        return Sitter(name, self._settings[name].version, "", house=True)

    def ready(self) -> Iterator[str]:
        """Yield the names of those who would play one more match."""
        now = trio.current_time()
        for name in self._settings:
            if self._playing[name] < _MOST_AT_ONCE and self._resting.get(name, now) <= now:
                yield name

    def take(self, name: str) -> None:
        """Count a match that a bot is to play. ``leave`` has to follow."""
        self._playing[name] += 1

    def leave(self, name: str) -> None:
        """Count a match of a bot that is over, or did not begin."""
        self._playing[name] -= 1

    async def seat(self, name: str) -> tuple[Bot, BotSeat]:
        """Return a bot, which is started if it does not run, and a seat of it.

        Raises:
            FailedToStartError: it did not come in.
            NotStartableError: it could not be started, and it is not to blame.
        """
        life = self._lives.get(name) or self._begun(name)
        try:
            while True:
                bot = await life.bot()
                seat = await bot.seat_when_free()
                if seat is not None:
                    return bot, seat
        except (FailedToStartError, NotStartableError):
            # Another life is tried after a while: this one may have been given up.
            self._lives.pop(name, None)
            self._resting[name] = trio.current_time() + _REST_SECONDS
            raise

    def _begun(self, name: str) -> Supervisor:
        assert self._host is not None
        settings = self._settings[name]
        life = self._lives[name] = Supervisor(
            name=name,
            version=settings.version,
            launch=Launch((*settings.command, *self._pace), {}, self._logs / f"{name}.log"),
            host=self._host,
            start_seconds=_START_SECONDS,
            crashed=self._crashed,
            carries_on=True,
        )
        return life

    def warm_up(self) -> None:
        """Say that somebody is here who may need them soon."""
        self._somebody_here = trio.current_time()
        self._wanted.set()

    async def run(self) -> None:
        """Start them when somebody comes, and end them when nobody was here for a while, until it is cancelled."""
        while True:
            await self._wanted.wait()
            async with trio.open_nursery() as nursery:
                for name in self._settings:
                    nursery.start_soon(self._start, name)
            while True:
                await trio.sleep(_WARM_SECONDS)
                if not self._playing.total() and self._somebody_here + _WARM_SECONDS <= trio.current_time():
                    break
            self._wanted = trio.Event()
            for life in self._lives.values():
                await life.end()

    async def _start(self, name: str) -> None:
        """Start a bot that does not run. If it does not come it is told when a match needs it."""
        with suppress(FailedToStartError, NotStartableError):
            await (self._lives.get(name) or self._begun(name)).bot()

    def stop(self) -> None:
        """End all of them at once. What they play goes on, if it goes on, with others that are started anew."""
        for life in self._lives.values():
            life.stop()
