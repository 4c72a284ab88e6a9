"""CPU time of processes, and the speed that they could reach together with one core each.

The time of bots is ignored, as if they ran on other machines. With enough cores, shared work is as fast as the busiest
process allows. So the cost of each part predicts the speed even for more processes than this machine has cores.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")


class Costs(NamedTuple):
    """CPU time for a decision, in microseconds."""

    alone: float
    """The time of a single process that does all the work."""
    front: float
    """The time of the process that distributes the work."""
    shared: float
    """The total time of the processes that share the work."""

    def speed_up(self, processes: int) -> float:
        """Return the speed-up over a single process when ``processes`` share the work, with one core each.

        Each match goes to the process with the fewest matches, so the shared work is spread evenly. The front process
        does the rest. The busiest process of all determines the speed.
        """
        return self.alone / max(self.front, self.shared / processes)

    def summary(self, processes: int) -> str:
        """Return the measured costs as text, with the speed-ups predicted for more processes than were measured."""
        more = ", ".join(f"{self.speed_up(number):.2f} with {number}" for number in (3, 4, 8) if number > processes)
        return f"{self.alone:.0f} µs a decision; {self.front:.0f} and {self.shared:.0f} µs; by these {more}"


def children(process_id: int) -> list[int]:
    """Return the ids of the children of a process, ascending.

    Raises:
        OSError: the process is gone, or the system has no ``/proc``.
    """
    tasks = Path(f"/proc/{process_id}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text(encoding="ascii").split())


def descendants_that_run(module: str) -> Iterator[int]:
    """Yield the ids of the topmost descendants of this process that run a module."""
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
    """Return the CPU time of a process so far, in seconds, over all of its threads.

    Raises:
        OSError: the process is gone, or the system has no ``/proc``.
    """
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND
