"""A trial before an event: every entrant plays a short, unrated match of each game against house bots."""

import math
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.arena.play import MatchFailedError, play
from ordago.arena.processes.isolation.confinement import Isolation
from ordago.arena.processes.isolation.sampler import Sampler, sampling
from ordago.arena.processes.isolation.usage import Processes
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Host, Supervisor
from ordago.arena.seat import BotSeat
from ordago.chance import SECRET_BYTES
from ordago.edge import open_host
from ordago.edge.sockets import UNIX
from ordago.game import OptionError
from ordago.games import find_game
from ordago.match import MatchTerms, SeatTerms, single_match_terms
from ordago.record import result_of
from ordago_bot.house import house_command
from ordago_ladder.entrants.build import BuildPlace, build_all
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.entrants.launch import launch_command
from ordago_ladder.entrants.remote import RemoteEntrants
from ordago_ladder.entrants.remote_entrant import AbsentError, RemoteLife
from ordago_ladder.entrants.sandboxes import Sandboxes
from ordago_ladder.matches.terms import fault_terms, own_times, time_terms
from ordago_ladder.settings.sections import EntrantSettings, GameSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener

_LENGTHS: Final = ("deals", "target")
"""The options of games that set the length of a match."""
_HOUSE: Final = "house"
_PERCENT: Final = 100


class Tried(NamedTuple):
    """The outcome of the trial of an entrant in a game."""

    entrant: str
    game: str
    """The short name of the game; empty if the trial did not get as far as a game."""
    problems: tuple[str, ...]
    """The problems, a sentence each; empty if all is well."""
    decisions: int = 0
    p50_ms: int = 0
    """The median of the charged time of a decision, in milliseconds."""
    p99_ms: int = 0
    memory_mib: float = 0.0
    """The memory of the process and its children after the match, in MiB; 0 if unknown."""


async def trial(
    settings: Settings,
    *,
    isolation: Isolation | None,
    hidden: Sequence[Path],
    logs: Path,
    listener: EventListener,
    entrance: Entrance | None = None,
    built: Collection[str] = (),
) -> list[Tried]:
    """Try all entrants, the remote ones among them if they connect in time, and return the outcomes.

    Args:
        settings: the event.
        isolation: the isolation method; ``None`` for none.
        hidden: the paths that no bot may read.
        logs: the folder for the output of the bots.
        listener: follows the check-in of remote entrants.
        entrance: the entrance for remote bots; ``None`` for none.
        built: the entrants that have built already, and are not built again.
    """
    remote = RemoteEntrants(settings, listener=listener)
    games = [game.name for game in settings.games]
    unbuilt = await build_all(settings, BuildPlace(isolation, tuple(hidden), logs), without=built)
    opened = open_host(games, unix_socket=True, guests=remote.guests(entrance))
    async with sampling() as sampler, opened as host:
        sandboxes = Sandboxes(settings, isolation, hidden=hidden, socket=Path(host.address.removeprefix(UNIX)))
        course = _Trial(settings, host, sandboxes, sampler, logs)
        tried = [Tried(name, "", (sentence,)) for name, sentence in unbuilt.items()]
        started = [one for one in settings.entrants if not (one.remote or one.name in unbuilt)]
        tried += [row for entrant in started for row in await course.of_started(entrant)]
        names = [entrant.name for entrant in settings.remote_entrants]
        bots = await remote.check_in(awaited=names if host.guests_at else (), new=())
        for name in names:
            tried += await course.of(name, remote.life(name, 0)) if name in bots else [_absent(name, host)]
        course.end()
    return tried


def _absent(entrant: str, host: Host) -> Tried:
    why = "it did not connect" if host.guests_at else "it plays elsewhere, and can connect only if --address is given"
    return Tried(entrant, "", (why,))


class _Trial:
    """A trial of one entrant after the other, since entrants at once would slow each other down."""

    def __init__(self, settings: Settings, host: Host, sandboxes: Sandboxes, sampler: Sampler, logs: Path) -> None:
        self._settings = settings
        self._host = host
        self._sandboxes = sandboxes
        self._sampler = sampler
        self._logs = logs
        self._house = self._life(_HOUSE, Launch(house_command("default", {}), {}, logs / "house.log"))

    def _life(self, name: str, launch: Launch) -> Supervisor:
        start_seconds = self._settings.event.start_timeout
        return Supervisor(name=name, version="", launch=launch, host=self._host, start_seconds=start_seconds)

    async def of_started(self, entrant: EntrantSettings) -> list[Tried]:
        """Start the bot of an entrant, try it in each game, and end it."""
        log, sandbox = self._logs / f"{entrant.name}.trial.log", self._sandboxes.of(entrant)
        launch = Launch(launch_command(entrant), dict(entrant.env), log, sandbox=sandbox, sampler=self._sampler)
        life = self._life(entrant.name, launch)
        try:
            missing = {game.name for game in self._settings.games} - (await life.bot()).identity.games
        except FailedToStartError as error:
            return [Tried(entrant.name, "", (str(error),))]
        tried = await self.of(entrant.name, life, missing)
        life.retire()
        return tried

    async def of(self, entrant: str, life: Supervisor | RemoteLife, missing: set[str] | None = None) -> list[Tried]:
        """Try a connected bot in each game; ``missing`` are the games that it does not play."""
        return [
            Tried(entrant, game.name, (f"it does not play {game.name}",))
            if game.name in (missing or ())
            else await self._at(game, entrant, life)
            for game in self._settings.games
        ]

    async def _at(self, game: GameSettings, entrant: str, life: Supervisor | RemoteLife) -> Tried:
        try:
            seat = await life.seat()
            others = [await self._house.seat() for _ in range(game.seats - 1)]
        except (FailedToStartError, AbsentError) as error:
            return Tried(entrant, game.name, (str(error),))
        seats = [one for one in (seat, *others) if one is not None]
        if len(seats) < game.seats:
            return Tried(entrant, game.name, ("it disconnected before the match began",))
        return await self._played(game, entrant, life, seats)

    async def _played(
        self, game: GameSettings, entrant: str, life: Supervisor | RemoteLife, seats: Sequence[BotSeat]
    ) -> Tried:
        try:
            record = (await play(self._terms(game, entrant), seats)).message
        except MatchFailedError as error:
            return Tried(entrant, game.name, (f"the server failed: {error.__cause__}",))
        times = sorted(entry.choice.charged_ms for entry in record.entries if _is_own(entry))
        memory = await trio.to_thread.run_sync(_memory_mib, life)
        return Tried(
            entrant, game.name, tuple(_problems(record)), len(times), _share(times, 50), _share(times, 99), memory
        )

    def _terms(self, game: GameSettings, entrant: str) -> MatchTerms:
        names = [entrant, *(f"{_HOUSE} {number}" for number in range(1, game.seats))]
        own = own_times(self._settings)
        return single_match_terms(
            game=find_game(game.name),
            options=_short(game),
            secret=secrets.token_bytes(SECRET_BYTES),
            event="trial",
            nonces={},
            time=time_terms(self._settings.event),
            faults=fault_terms(self._settings.event),
            conceding=self._settings.event.conceding,
            seats=[SeatTerms(name, time=own.get(name)) for name in names],
        )

    def end(self) -> None:
        """End the house bot."""
        self._house.retire()


def _is_own(entry: v1.RecordEntry) -> bool:
    return entry.HasField("choice") and entry.choice.seat == 0 and not entry.choice.fault


def _memory_mib(life: Supervisor | RemoteLife) -> float:
    root = life.process_number if isinstance(life, Supervisor) else 0
    return Processes.now().memory_mib_of(root) if root else 0.0


def _short(game: GameSettings) -> Mapping[str, object]:
    """Return the options of a game for the shortest matches that its rules accept."""
    rules = find_game(game.name).rules
    options: dict[str, object] = dict(game.options)
    least: dict[str, object] = {
        spec.name: spec.min for spec in rules.option_specs if spec.name in _LENGTHS and spec.min is not None
    }
    try:
        rules.options(options | least)
    except OptionError:
        return options
    return options | least


def _share(ascending: Sequence[int], percent: int) -> int:
    """Return a percentile of sorted values, by nearest rank; 0 if there are none."""
    return ascending[max(0, math.ceil(len(ascending) * percent / _PERCENT) - 1)] if ascending else 0


def _problems(record: v1.MatchRecord) -> Iterator[str]:
    """Yield what went wrong with seat 0."""
    result = result_of(record)
    for fault, decisions in result.faults[0]:
        yield f"{decisions} decisions took the default answer: {fault.replace('_', ' ')}"
    for rule, answers in result.strikes[0]:
        yield f"{answers} answers were refused by the rule {rule}"
    for forfeit in result.forfeits:
        if forfeit.seat == 0:
            yield f"it forfeited the match: {forfeit.fault.replace('_', ' ')}"
