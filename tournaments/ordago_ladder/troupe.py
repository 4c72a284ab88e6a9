"""The bots of an event: every process life of every entrant."""

from collections.abc import Callable, Sequence
from pathlib import Path

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.chronicle import Chronicle
from ordago.arena.doors import LaunchDoor
from ordago.arena.launcher import Launch
from ordago.arena.lives import FailedToStartError, Life, absent_bot
from ordago.arena.seat import BotSeat
from ordago_ladder.launch import launch_command
from ordago_ladder.schedule import PlannedMatch
from ordago_ladder.settings import EntrantSettings, Settings

Warn = Callable[[str], None]
"""Tells the organiser something in one sentence."""


class Troupe:
    """The bots of an event. They are started when they are needed first."""

    def __init__(
        self,
        settings: Settings,
        *,
        door: LaunchDoor,
        address: str,
        logs: Path,
        nursery: trio.Nursery,
        warn: Warn,
        chronicle: Chronicle,
    ) -> None:
        """Prepare the bots; none is started yet.

        Args:
            settings: the event.
            door: the door that the bots come in by.
            address: where they connect to, ``HOST:PORT``.
            logs: the folder for what they print.
            nursery: where their lives go on in the background.
            warn: is told when a bot cannot be started.
            chronicle: where it is told what becomes of the decisions of such a bot.
        """
        self._settings = {entrant.name: entrant for entrant in settings.entrants}
        self._start_seconds = settings.event.start_timeout
        self._door = door
        self._address = address
        self._logs = logs
        self._nursery = nursery
        self._warn = warn
        self._chronicle = chronicle
        self._lives: dict[tuple[str, int], Life] = {}

    async def check_in(self) -> dict[str, Bot]:
        """Start one bot of each entrant, all at the same time, and return them by entrant.

        Raises:
            FailedToStartError: one did not come in.
        """
        bots: dict[str, Bot] = {}

        async def fetch(name: str) -> None:
            bots[name] = await self._life(name, 0).bot()

        try:
            async with trio.open_nursery() as nursery:
                for name in self._settings:
                    nursery.start_soon(fetch, name)
        except* FailedToStartError as group:
            raise group.exceptions[0] from None
        return bots

    async def take_seats(self, planned: PlannedMatch) -> list[BotSeat]:
        """Return seats for a match in order, as soon as each bot has room for it.

        The bots are asked in one order for all matches, so that no two matches wait for each other.
        """
        seats: dict[int, BotSeat] = {}
        wanted = sorted(
            (entrant, life, seat)
            for seat, (entrant, life) in enumerate(zip(planned.entrants, planned.lives, strict=True))
        )
        for entrant, life, seat in wanted:
            seats[seat] = await (await self._bot(entrant, life)).seat_when_free()
        return [seats[seat] for seat in range(len(seats))]

    async def _bot(self, entrant: str, life: int) -> Bot:
        try:
            return await self._life(entrant, life).bot()
        except FailedToStartError as error:
            self._warn(f"{error}; the default answers are taken for it")
            return absent_bot(entrant, v1.FAULT_FAILED_TO_START, str(error), chronicle=self._chronicle)

    def _life(self, entrant: str, number: int) -> Life:
        if (entrant, number) not in self._lives:
            settings = self._settings[entrant]
            self._lives[entrant, number] = Life(
                name=entrant,
                version=settings.version,
                launch=_launch(settings, self._logs / f"{entrant}.{number}.log"),
                door=self._door,
                address=self._address,
                start_seconds=self._start_seconds,
                nursery=self._nursery,
            )
        return self._lives[entrant, number]

    def retire(self) -> None:
        """End all bots."""
        for life in self._lives.values():
            life.retire()


def _launch(settings: EntrantSettings, log: Path) -> Launch:
    return Launch(launch_command(settings), dict(settings.env), log)


def bots_that_miss_games(bots: dict[str, Bot], games: Sequence[str]) -> list[str]:
    """Return a sentence for each bot that does not play all games of the event."""
    return [
        f"bot {name!r} does not play {', '.join(sorted(missing))}"
        for name, bot in bots.items()
        if (missing := set(games) - bot.identity.games)
    ]
