"""The cost of starting a bot, isolated or not, and the start-up times of the command line, the SDK and a server."""

import asyncio
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from ordago.arena.processes.isolation.bot_user import bot_user
from ordago.arena.processes.isolation.bubblewrap import bubblewrap
from ordago.arena.processes.isolation.choice import reason_against
from ordago.arena.processes.isolation.confinement import Confinement, Isolation, Sandbox, User
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, Landlock, landlock_version
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.starting import started
from ordago_bench.latency import Latencies
from ordago_bench.processes.instant_bot import InstantBot, play
from ordago_bench.processes.worker import Tally

HELP: Final = ("-m", "ordago", "--help")
IMPORT: Final = ("-c", "import ordago_bot")
_SERVE: Final = ("-m", "ordago", "serve", "--tables", "mitaines", "--address", "127.0.0.1:0", "--grace", "0")
_LONGEST_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.002
"""Seconds between two checks for the first decision: the error of the measured time."""


def measure_program(arguments: Sequence[str], *, rounds: int) -> float:
    """Return the duration of a run of Python with some arguments, in seconds; the median of rounds."""
    return median(_seconds(arguments) for _ in range(rounds))


def _seconds(arguments: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, timeout=_LONGEST_SECONDS)  # noqa: S603 - our own
    return time.perf_counter() - began


def measure_first_decision(*, rounds: int) -> float:
    """Return the time from the start of ``ordago serve`` to the first decision at a bot, in seconds; a median."""
    return median(_first_decision() for _ in range(rounds))


def _first_decision() -> float:
    began = time.perf_counter()
    command = [sys.executable, "-u", *_SERVE]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603 - our own
    try:
        assert server.stdout is not None
        said = (re.search(r"listening on (127\.0\.0\.1:\d+)", line) for line in server.stdout)
        address = next(found[1] for found in said if found)
        return asyncio.run(asyncio.wait_for(_until_asked(address), _LONGEST_SECONDS)) - began
    finally:
        server.kill()
        server.communicate()


async def _until_asked(address: str) -> float:
    """Connect the two bots of a table, and return the time of the first decision."""
    tally = Tally()
    bots = [InstantBot(matches=1, tally=tally, latencies=Latencies()) for _ in range(2)]
    playing = [asyncio.create_task(play(bot, address)) for bot in bots]
    while not tally.decisions:  # noqa: ASYNC110 - a tally is no event, and polling is cheap
        await asyncio.sleep(_LOOK_SECONDS)
    seen = time.perf_counter()
    for task in playing:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return seen


_COMMAND: Final = ("true",)


class StartCost(NamedTuple):
    """The cost of starting a program that ends immediately, until its end; medians."""

    wall_ms: float
    """The elapsed time in milliseconds."""
    cpu_ms: float
    """The CPU time in milliseconds, of all processes involved except the parent."""


def measure_starts(*, rounds: int) -> Mapping[str, StartCost]:
    """Return the cost of a start with each isolation method, by name, measured in turns."""
    with tempfile.TemporaryDirectory() as folder, bot_user() as user:
        cells = _cells(Path(folder), user)
        costs: dict[str, list[StartCost]] = {name: [] for name in cells}
        for _ in range(rounds):
            for name, sandbox in cells.items():
                costs[name].append(_cost(sandbox))
    return {
        name: StartCost(median(cost.wall_ms for cost in found), median(cost.cpu_ms for cost in found))
        for name, found in costs.items()
    }


def _cells(scratches: Path, user: User | None) -> Mapping[str, Sandbox]:
    ways: dict[str, Isolation | None] = {"bubblewrap": bubblewrap(user)}
    ways["Landlock"] = Landlock(scratches, user) if landlock_version() >= LEAST_VERSION else None
    confinement = Confinement(folder=Path.cwd(), readable=readable_for(_COMMAND, Path.cwd()))
    working = {name: way for name, way in ways.items() if way is not None and not reason_against(way)}
    return {"not isolated": Sandbox(), **{name: way.sandbox(confinement) for name, way in working.items()}}


def _cost(sandbox: Sandbox) -> StartCost:
    cpu, began = _children_seconds(), time.perf_counter()
    started(sandbox, _COMMAND, environment=dict(os.environ), stdin=subprocess.DEVNULL, output=subprocess.DEVNULL).wait()
    return StartCost(wall_ms=1e3 * (time.perf_counter() - began), cpu_ms=1e3 * (_children_seconds() - cpu))


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
