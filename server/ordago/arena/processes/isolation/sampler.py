"""Sampling of the resources that bots and builds use, to end those that exceed a limit.

The kernel's own limits apply to single processes, and some not to root. So one scan of all processes, about twice a
second, adds up the use of each bot's processes.
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
"""Least pause between scans, as a multiple of the CPU time of a scan, so that scans take at most 1 % of a processor.
Not of wall time, since bots that keep the machine busy could then delay the next scan."""


class _Watched(NamedTuple):
    """A bot or build whose processes are sampled."""

    limits: Limits
    scratches: Path | None
    """The folder that holds its scratch folder; ``None`` if the sandbox limits that itself."""
    writable: Writable | None
    """The folder that it may write to besides that; ``None`` for none."""
    end: Callable[[str], None]


class Sampler:
    """Samples bots and builds while it runs."""

    def __init__(self, *, cost: int = _COST) -> None:
        """Begin without any.

        Args:
            cost: the least pause between scans, as a multiple of the CPU time of a scan.
        """
        self._cost = cost
        self._watched_trees: dict[int, _Watched] = {}

    @contextmanager
    def watching(self, root: int, sandbox: Sandbox, end: Callable[[str], None]) -> Iterator[None]:
        """Sample the processes in a sandbox in this context.

        Args:
            root: the ID of the process that all others in the sandbox descend from.
            sandbox: the sandbox, with its limits; without limits nothing is sampled.
            end: is called to end them, with the reason, to follow "it" in a sentence.
        """
        if sandbox.limits is not None:
            self._watched_trees[root] = _Watched(sandbox.limits, sandbox.scratch, sandbox.writable, end)
        try:
            yield
        finally:
            self._watched_trees.pop(root, None)

    async def run(self) -> None:
        """Sample all of them until cancelled."""
        while True:
            cost_seconds = 0.0
            if self._watched_trees:
                passed, cost_seconds = await trio.to_thread.run_sync(_looked, dict(self._watched_trees))
                for root, reason in passed.items():
                    # It may have ended meanwhile.
                    if root in self._watched_trees:
                        self._watched_trees[root].end(reason)
            await trio.sleep(max(_PERIOD_SECONDS, self._cost * cost_seconds))


@asynccontextmanager
async def sampling(*, cost: int = _COST) -> AsyncIterator[Sampler]:
    """Yield a sampler that runs until the end of the context."""
    sampler = Sampler(cost=cost)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sampler.run)
        yield sampler
        nursery.cancel_scope.cancel()


def _looked(watched_trees: dict[int, _Watched]) -> tuple[dict[int, str], float]:
    """Return the result of ``_passed``, and the CPU seconds of the scan."""
    began = time.thread_time()
    return _passed(watched_trees), time.thread_time() - began


def _passed(watched_trees: dict[int, _Watched]) -> dict[int, str]:
    """Return those that exceed a limit, by root process, with the reason."""
    processes = Processes.now()
    reasons = {root: _reason(processes, root, watched) for root, watched in watched_trees.items()}
    return {root: reason for root, reason in reasons.items() if reason}


def _reason(processes: Processes, root: int, watched: _Watched) -> str:
    limits, used = watched.limits, processes.used_by(root)
    if used.tasks > limits.processes:
        return f"passed its limit of {limits.processes} processes and threads (processes)"
    if used.cpu_seconds > (limits.cpu_seconds or math.inf):
        return f"passed its limit of {limits.cpu_seconds} s of CPU time (cpu_seconds)"
    # The upper bound comes first: it is known already, while the exact number takes a read for each process.
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
