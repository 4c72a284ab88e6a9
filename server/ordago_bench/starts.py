"""What it costs to start a bot, isolated in each way that the machine has, and not."""

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Mapping
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

_COMMAND: Final = ("true",)


class StartCost(NamedTuple):
    """What a start costs, from the moment it is asked for to the end of a program that ends at once; medians."""

    wall_ms: float
    """Milliseconds that pass."""
    cpu_ms: float
    """Milliseconds of a processor, of all processes that take part but the one that asks."""


def measure_starts(*, rounds: int) -> Mapping[str, StartCost]:
    """Return what a start costs in each way, by its name. The ways take turns."""
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
