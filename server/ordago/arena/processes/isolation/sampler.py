"""Looks at what lives use, again and again, and tells who passes a limit.

The kernel's own limits hold for single processes, and some not for root. So one scan of all processes, about twice a
second, adds up for each life what its processes take together.
"""

import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago.arena.processes.isolation.confinement import Limits, Sandbox, Writable
from ordago.arena.processes.isolation.usage import Processes, folder_mib, scratch_mib

_PERIOD_SECONDS: Final = 0.5
_COST: Final = 100
"""It is waited so many times as long as a scan takes of a processor, so that scans never cost more than one part of it.
By the clock it takes as long as bots like that keep the machine busy."""


class _Watched(NamedTuple):
    """A life that is looked at."""

    limits: Limits
    scratches: Path | None
    """The folder with its scratch folder in it, if that is to be looked at."""
    writable: Writable | None
    """The folder that it may write to beside that, if there is one."""
    end: Callable[[str], None]


class Sampler:
    """Looks at lives while it runs."""

    def __init__(self, *, cost: int = _COST) -> None:
        """Begin with none, and wait so many times as long as a scan takes of a processor."""
        self._cost = cost
        self._lives: dict[int, _Watched] = {}

    @contextmanager
    def watching(self, root: int, sandbox: Sandbox, end: Callable[[str], None]) -> Iterator[None]:
        """Look meanwhile at what runs in a cell.

        Args:
            root: the number of the process that all of it descends from.
            sandbox: the cell, whose limits count.
            end: ends it. It is told why, as the end of a sentence.
        """
        if sandbox.limits is not None:
            self._lives[root] = _Watched(sandbox.limits, sandbox.scratch, sandbox.writable, end)
        try:
            yield
        finally:
            self._lives.pop(root, None)

    async def run(self) -> None:
        """Look at all of them until it is cancelled."""
        while True:
            cost_seconds = 0.0
            if self._lives:
                passed, cost_seconds = await trio.to_thread.run_sync(_looked, dict(self._lives))
                for root, reason in passed.items():
                    # It may have ended meanwhile.
                    if root in self._lives:
                        self._lives[root].end(reason)
            await trio.sleep(max(_PERIOD_SECONDS, self._cost * cost_seconds))


@asynccontextmanager
async def sampling(*, cost: int = _COST) -> AsyncIterator[Sampler]:
    """Give a sampler that looks until the end of the context."""
    sampler = Sampler(cost=cost)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sampler.run)
        yield sampler
        nursery.cancel_scope.cancel()


def _looked(lives: dict[int, _Watched]) -> tuple[dict[int, str], float]:
    """Return who has passed a limit, and which one, and how many seconds of a processor it took to find out."""
    began = time.thread_time()
    return _passed(lives), time.thread_time() - began


def _passed(lives: dict[int, _Watched]) -> dict[int, str]:
    """Return who has passed a limit, and which one."""
    processes = Processes.now()
    reasons = {root: _reason(processes, root, watched) for root, watched in lives.items()}
    return {root: reason for root, reason in reasons.items() if reason}


def _reason(processes: Processes, root: int, watched: _Watched) -> str:
    limits, used = watched.limits, processes.used_by(root)
    if used.tasks > limits.processes:
        return f"passed its limit of {limits.processes} processes and threads (processes)"
    if used.cpu_seconds > (limits.cpu_seconds or math.inf):
        return f"passed its limit of {limits.cpu_seconds} s of a processor (cpu_seconds)"
    # The most that it can be is known already.
    if used.memory_mib_at_most > limits.memory_mib and processes.memory_mib_of(root) > limits.memory_mib:
        return f"passed its limit of {limits.memory_mib} MiB of memory (memory_mib)"
    if watched.scratches is not None and scratch_mib(watched.scratches, processes.of(root)) > limits.scratch_mib:
        return f"passed its limit of {limits.scratch_mib} MiB in its scratch folder (scratch_mib)"
    return _reason_of_folder(processes.of(root), watched)


def _reason_of_folder(processes: list[int], watched: _Watched) -> str:
    writable = watched.writable
    if writable is None or folder_mib(writable.path, processes) <= writable.most_mib:
        return ""
    return f"passed its limit of {watched.limits.scratch_mib} MiB more in its folder (scratch_mib)"
