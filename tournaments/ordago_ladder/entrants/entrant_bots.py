"""The bots of an event: one supervised process for each process slot of each entrant."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

import trio

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.processes.isolation.sampler import Sampler
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Host, Supervisor, absent_bot
from ordago.arena.seat import BotSeat
from ordago.record import fault_named
from ordago.record.ledgers.event import Ledger
from ordago.store import Entrant, PlannedMatch
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.entrants.launch import launch_command, launch_environment
from ordago_ladder.entrants.remote import RemoteEntrants
from ordago_ladder.entrants.remote_entrant import AbsentError, RemoteLife
from ordago_ladder.entrants.sandboxes import Sandboxes
from ordago_ladder.schedule.conduct import Suspension
from ordago_ladder.schedule.process_slots import slots_at
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings

Warn = Callable[[str], None]
"""A function that shows the organiser a warning of one sentence."""


class EntrantError(Exception):
    """An entrant cannot take part: a mistake of the organiser or the author of the bot."""


class EntrantBots:
    """The bots of an event, started on first use."""

    def __init__(
        self,
        settings: Settings,
        *,
        host: Host,
        sandboxes: Sandboxes,
        sampler: Sampler,
        logs: Path,
        warn: Warn,
        telemetry: Telemetry,
        remote: RemoteEntrants | None = None,
        unbuilt: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Prepare the bots; none is started yet.

        Args:
            settings: the event.
            host: the server that the bots connect to.
            sandboxes: the sandboxes that they run in.
            sampler: measures their use of resources.
            logs: the folder for their output.
            warn: called once for each cause when a bot crashes or cannot be started.
            telemetry: counts the default answers taken for stand-ins.
            remote: the remote entrants; ``None`` if no remote entrant plays here.
            unbuilt: the reasons of failed builds, by entrant. These bots are not started.
        """
        self._event = settings
        self._settings = {entrant.name: entrant for entrant in settings.entrants if not entrant.remote}
        self._remote = remote
        self._unbuilt = unbuilt
        self._start_seconds = settings.event.start_timeout
        self._absentees_forfeit = settings.event.absentees_forfeit
        self._host = host
        self._sandboxes = sandboxes
        self._sampler = sampler
        self._logs = logs
        self._warn = warn
        self._telemetry = telemetry
        self._supervisors: dict[tuple[str, int], Supervisor] = {}
        self._turns = {name: trio.Lock() for name in self._settings}
        self._warned: set[str] = set()
        self._suspended: dict[str, Suspension] = {}

    def play(self, settings: Settings) -> None:
        """Replace the settings after check-in, which may have lowered the number of processes."""
        self._event = settings

    async def check_in(self, *, awaited: Collection[str], new: Collection[str]) -> dict[str, Bot]:
        """Start one bot of each entrant that is not suspended, all at once; return those that connected, by entrant.

        Args:
            awaited: the remote entrants to wait for.
            new: the entrants that have not checked in before, in this run or an earlier one.

        Raises:
            FailedToStartError: a bot did not connect, and the event does not go on without it.
            AbsentError: the same of a remote entrant.
        """
        bots: dict[str, Bot] = {}

        async def fetch(name: str) -> None:
            try:
                bots[name] = await self._started(name, 0).bot()
            except FailedToStartError as error:
                if not self._absentees_forfeit:
                    raise
                self._warn_of_stand_in(error)

        try:
            async with trio.open_nursery() as nursery:
                if self._remote is not None:
                    nursery.start_soon(self._await_guests, self._remote, bots, awaited, new)
                for sentence in self._unbuilt.values():
                    self._warn_of_stand_in(sentence)
                for name in self._settings:
                    if name not in self._suspended and name not in self._unbuilt:
                        nursery.start_soon(fetch, name)
        except* (FailedToStartError, AbsentError) as group:
            raise group.exceptions[0] from None
        return bots

    async def _await_guests(
        self, remote: RemoteEntrants, bots: dict[str, Bot], awaited: Collection[str], new: Collection[str]
    ) -> None:
        """Wait for remote entrants, and add the bots of those that connected to ``bots``."""
        bots.update(await remote.check_in(awaited=awaited, new=new))
        # An entrant that checked in during an earlier run is awaited when a match needs it.
        for absence in remote.absences(new):
            if not self._absentees_forfeit:
                raise absence
            self._warn_of_stand_in(absence)

    async def take_seats(self, planned: PlannedMatch) -> list[BotSeat]:
        """Return the seats of a match in order, as soon as each bot has room for one.

        An entrant that is suspended or cannot be started gets a stand-in, whose seats are forfeited from the start.
        To prevent deadlocks, all matches take bots in the same order, and all bots of an entrant at once.
        """
        seats: dict[int, BotSeat] = {}
        at_table: list[Bot] = []
        slots = slots_at(planned, self._event)
        for entrant in sorted(set(planned.entrants)):
            own = {slots[seat]: seat for seat, name in enumerate(planned.entrants) if name == entrant}
            async with self._room_for(entrant, own.keys()):
                for slot in sorted(own):
                    seats[own[slot]] = await self._take_seat(entrant, slot, at_table)
        if self._remote is not None:
            self._remote.begins(planned.entrants)
        return [seats[seat] for seat in range(len(seats))]

    @asynccontextmanager
    async def _room_for(self, entrant: str, slots: Collection[int]) -> AsyncIterator[None]:
        """End other processes of an entrant beyond its limit, idle ones first. Matches take turns at it."""
        most = self._event.event.processes
        if most is None or entrant not in self._settings:
            yield
            return
        async with self._turns[entrant]:
            others = [
                supervisor
                for (name, number), supervisor in self._supervisors.items()
                if name == entrant and number not in slots and supervisor.runs
            ]
            others.sort(key=lambda supervisor: supervisor.plays)
            for supervisor in others[: max(0, len(others) + len(slots) - most)]:
                await supervisor.end()
            yield

    async def _take_seat(self, entrant: str, slot: int, at_table: list[Bot]) -> BotSeat:
        seat: BotSeat | None = None
        while seat is None:
            if entrant in self._suspended:
                suspension = self._suspended[entrant]
                return self._stand_in(entrant, fault_named(suspension.fault), suspension.sentence)
            if entrant in self._unbuilt:
                return self._stand_in(entrant, v1.FAULT_FAILED_TO_START, self._unbuilt[entrant])
            try:
                # No seat: the bot was lost in between. The next round restarts or awaits it.
                seat = await self._life(entrant, slot, at_table).seat()
            except FailedToStartError as error:
                self._warn_of_stand_in(error)
                return self._stand_in(entrant, v1.FAULT_FAILED_TO_START, str(error))
            except AbsentError as error:
                self._warn_of_stand_in(error)
                return self._stand_in(entrant, error.fault, str(error))
        return seat

    def _stand_in(self, entrant: str, fault: v1.Fault, sentence: str) -> BotSeat:
        return absent_bot(entrant, fault, sentence, telemetry=self._telemetry).take_seat()

    def _warn_of_stand_in(self, error: FailedToStartError | AbsentError | str) -> None:
        self._warn_once(f"{error}; its matches are forfeited")

    def _warn_once(self, sentence: str) -> None:
        if sentence not in self._warned:
            self._warned.add(sentence)
            self._warn(sentence)

    def suspend(self, suspension: Suspension) -> None:
        """Give an entrant no more matches. Matches that its bots are playing go on to their end."""
        if suspension.entrant not in self._suspended:
            self._suspended[suspension.entrant] = suspension
            self._warn(f"{suspension.entrant!r} is {suspension.sentence}; it plays no more")
            if self._remote is not None and suspension.entrant in self._remote:
                self._remote.suspend(suspension.entrant, suspension.sentence, self._host.nursery)
            for (entrant, _), supervisor in self._supervisors.items():
                if entrant == suspension.entrant:
                    supervisor.retire()

    def _life(self, entrant: str, number: int, at_table: list[Bot]) -> Supervisor | RemoteLife:
        if self._remote is not None and entrant in self._remote:
            return self._remote.life(entrant, number, at_table)
        return self._started(entrant, number)

    def _started(self, entrant: str, number: int) -> Supervisor:
        if (entrant, number) not in self._supervisors:
            settings = self._settings[entrant]
            self._supervisors[entrant, number] = Supervisor(
                name=entrant,
                version=settings.version,
                launch=self._launch(settings, self._logs / f"{entrant}.{number}.log"),
                host=self._host,
                start_seconds=self._start_seconds,
                crashed=self._warn_once,
            )
        return self._supervisors[entrant, number]

    def _launch(self, settings: EntrantSettings, log: Path) -> Launch:
        return Launch(
            launch_command(settings),
            launch_environment(settings),
            log,
            sandbox=self._sandboxes.of(settings),
            sampler=self._sampler,
        )

    def retire(self) -> None:
        """End all bots."""
        for supervisor in self._supervisors.values():
            supervisor.retire()


def check_games(bots: Mapping[str, Bot], settings: Settings) -> None:
    """Check that each bot plays all games of an event.

    Raises:
        EntrantError: some do not.
    """
    games = {game.name for game in settings.games}
    problems = [
        f"bot {name!r} does not play {', '.join(sorted(missing))}"
        for name, bot in bots.items()
        if (missing := games - bot.identity.games)
    ]
    if problems:
        raise EntrantError("; ".join(problems))


def brought_by(
    names: Iterable[str], bots: Mapping[str, Bot], *, settings: Settings, ledger: Ledger
) -> Sequence[Entrant]:
    """Return the ledger's data of entrants that check in: name, nonce, version and build; no nonce without a bot.

    Raises:
        EntrantError: some bring the nonce that they brought to an earlier part of the event. The secret of this one
            could have been chosen for it, unless the event file gives it anyway.
    """
    brought = [_brought_by(name, bots.get(name)) for name in names]
    known = {(one.name, one.nonce) for one in ledger.checked_in if one.nonce}
    again = [one.name for one in brought if one.nonce and (one.name, one.nonce.hex()) in known]
    if again and settings.event.secret is None:
        raise EntrantError(
            f"the nonces of {', '.join(map(repr, again))} are those of an earlier part of the event, where everybody "
            "has seen them: start these bots again, without ORDAGO_NONCE"
        )
    return brought


def _brought_by(name: str, bot: Bot | None) -> Entrant:
    if bot is None:
        return Entrant(name, b"")
    return Entrant(name, bot.identity.nonce, bot.identity.version, bot.identity.build)
