"""What processes use of a processor, and how quick they together could be if each had a core of its own.

Bots are elsewhere, or should be, so their time is of no interest. Where there are enough processors, work that is
shared is as quick as the busiest of its processes lets it be; how quick it would be with more of them than there are
processors here follows from what each part of the work costs.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")


class Costs(NamedTuple):
    """Processor time for a decision, in microseconds."""

    alone: float
    """Of a process that does all by itself."""
    front: float
    """Of the process that shares the work out."""
    shared: float
    """Of all processes together that it is shared out to."""

    def speed_up(self, processes: int) -> float:
        """Return how many times as quick as alone it is with so many processes, each on its own core.

        They share their work evenly, since each match goes to the process that has the fewest, and the one process
        before them does the rest: so the busiest of them all says how quick it is.
        """
        return self.alone / max(self.front, self.shared / processes)

    def told(self, processes: int) -> str:
        """Return what was measured, and what it comes to with more processes than were measured."""
        more = ", ".join(f"{self.speed_up(number):.2f} with {number}" for number in (3, 4, 8) if number > processes)
        return f"{self.alone:.0f} µs a decision; {self.front:.0f} and {self.shared:.0f} µs; by these {more}"


def children(process_id: int) -> list[int]:
    """Return the processes that a process has started, in order of their numbers.

    Raises:
        OSError: the process is gone, or the system has no ``/proc``.
    """
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text(encoding="ascii").split())


def descendants_that_run(module: str) -> Iterator[int]:
    """Return the processes that run a module, among those that this one has started, and that these have started."""
    waiting = children(os.getpid())
    while waiting:
        process_id = waiting.pop()
        if module in _command(process_id):
            yield process_id
        else:
            waiting += children(process_id)


def _command(process_id: int) -> list[str]:
    return Path(f"/proc/{process_id}/cmdline").read_text(encoding="utf-8", errors="replace").split("\0")


def processor_seconds(process_id: int) -> float:
    """Return what a process has used so far, all of its threads together.

    Raises:
        OSError: the process is gone, or the system has no ``/proc``.
    """
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
