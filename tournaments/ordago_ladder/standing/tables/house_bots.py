"""House bots: started when they are needed, kept running while they may be needed again, and then ended."""

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
"""As long as the default ``start_timeout`` of an event."""
_MOST_AT_ONCE: Final = 32
"""The most matches that one house bot plays at once: crowds of single visitors must not slow it down for others."""
_WARM_SECONDS: Final = 300.0
"""The time for which house bots run on without visitors: an author fixes a bot and connects again."""
_REST_SECONDS: Final = 30.0
"""The wait before a house bot that could not be started is tried again."""


def _report_to_nobody(_sentence: str) -> None:
    """Ignore a crash."""


class HouseBots:
    """All house bots of a ladder. Each has one process at most."""

    def __init__(
        self,
        bots: Iterable[HouseSettings],
        *,
        logs: Path,
        pause_ms: int = 0,
        crashed: Callable[[str], None] = _report_to_nobody,
    ) -> None:
        """Prepare house bots; none is started yet.

        Args:
            bots: their settings.
            logs: the folder for their output.
            pause_ms: the pause before each answer, so that people can follow.
            crashed: is called with one sentence when a process that is needed ends or hangs.
        """
        self._crashed = crashed
        self._pace = (f"--{PAUSE}", str(pause_ms)) if pause_ms else ()
        self._settings = {bot.name: bot for bot in bots}
        self._host: Host | None = None
        self._logs = logs
        self._supervisors: dict[str, Supervisor] = {}
        self._playing = Counter[str]()
        self._wanted = trio.Event()
        self._somebody_here = 0.0
        """The time at which a bot that may need them was last seen."""
        self._resting: dict[str, float] = {}
        """The time until which a bot that could not be started is not tried again, by name."""

    def come_in_at(self, host: Host) -> None:
        """Set the server to which they connect. Call it before any is started."""
        self._host = host

    def sitter(self, name: str) -> Sitter:
        """Return the identity of a house bot at a table.

        Raises:
            KeyError: there is no house bot of this name.
        """
        return Sitter(name, self._settings[name].version, "", house=True)

    def ready(self) -> Iterator[str]:
        """Yield the names of the bots that can take one more match."""
        now = trio.current_time()
        for name in self._settings:
            if self._playing[name] < _MOST_AT_ONCE and self._resting.get(name, now) <= now:
                yield name

    def take(self, name: str) -> None:
        """Count a match for a bot. Each call has to be followed by one of ``leave``."""
        self._playing[name] += 1

    def leave(self, name: str) -> None:
        """Stop counting a match that is over, or did not begin."""
        self._playing[name] -= 1

    async def seat(self, name: str) -> tuple[Bot, BotSeat]:
        """Return a bot and a seat of it, starting the bot if it does not run.

        Raises:
            FailedToStartError: the bot did not connect.
            NotStartableError: the bot could not be started, through no fault of its own.
        """
        supervisor = self._supervisors.get(name) or self._begun(name)
        try:
            while True:
                bot = await supervisor.bot()
                seat = await bot.seat_when_free()
                if seat is not None:
                    return bot, seat
        except (FailedToStartError, NotStartableError):
            # A new supervisor is tried after the rest: this one may have given up on its process for good.
            self._supervisors.pop(name, None)
            self._resting[name] = trio.current_time() + _REST_SECONDS
            raise

    def _begun(self, name: str) -> Supervisor:
        assert self._host is not None
        settings = self._settings[name]
        supervisor = self._supervisors[name] = Supervisor(
            name=name,
            version=settings.version,
            launch=Launch((*settings.command, *self._pace), {}, self._logs / f"{name}.log"),
            host=self._host,
            start_seconds=_START_SECONDS,
            crashed=self._crashed,
            carries_on=True,
        )
        return supervisor

    def warm_up(self) -> None:
        """Note that a waiting bot may need them soon."""
        self._somebody_here = trio.current_time()
        self._wanted.set()

    async def run(self) -> None:
        """Start the bots when they may be needed, and end them some time after the last need, until cancelled."""
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
            for supervisor in self._supervisors.values():
                await supervisor.end()

    async def _start(self, name: str) -> None:
        """Start a bot unless it runs. A failure is reported later, when a match needs the bot."""
        with suppress(FailedToStartError, NotStartableError):
            await (self._supervisors.get(name) or self._begun(name)).bot()

    def stop(self) -> None:
        """End all bots at once. Their unfinished matches go on after a restart, with new processes."""
        for supervisor in self._supervisors.values():
            supervisor.stop()
