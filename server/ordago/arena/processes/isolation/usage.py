"""What processes use, as the kernel tells it."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from ordago.arena.processes.isolation.confinement import MEBIBYTE

_PROCESSES: Final = "/proc"
_PROPORTIONAL: Final = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)
_BLOCK_BYTES: Final = 512


class _Process(NamedTuple):
    parent: int
    ticks: int
    threads: int
    resident_pages: int


class Used(NamedTuple):
    """What a process and its descendants use."""

    tasks: int
    """Processes and threads."""
    cpu_seconds: float
    """Seconds of a processor, those of descendants that have ended among them."""
    resident_mib: float
    """Memory, in which counts twice what two of them share."""


class Processes:
    """All processes at one moment."""

    def __init__(self, processes: dict[int, _Process]) -> None:
        """Use ``now``."""
        self._processes = processes
        self._children: dict[int, list[int]] = {}
        for number, process in processes.items():
            self._children.setdefault(process.parent, []).append(number)

    @classmethod
    def now(cls) -> "Processes":
        """Look at all processes."""
        return cls({number: process for number in _numbers() if (process := _look_at(number)) is not None})

    def of(self, root: int) -> list[int]:
        """Return the numbers of a process and all that descends from it."""
        found = [root]
        for number in found:
            found += self._children.get(number, ())
        return [number for number in found if number in self._processes]

    def used_by(self, root: int) -> Used:
        """Return what a process and its descendants use."""
        own = [self._processes[number] for number in self.of(root)]
        return Used(
            tasks=sum(process.threads for process in own),
            cpu_seconds=sum(process.ticks for process in own) / os.sysconf("SC_CLK_TCK"),
            resident_mib=sum(process.resident_pages for process in own) * os.sysconf("SC_PAGE_SIZE") / MEBIBYTE,
        )

    def memory_mib_of(self, root: int) -> float:
        """Return the memory of a process and its descendants in MiB; what is shared is divided among who shares it."""
        return sum(map(_proportional_kib, self.of(root))) / 1024


def scratch_mib(scratches: Path, processes: Iterable[int]) -> float:
    """Return what lies in the scratch folder of a keeper and its descendants, in MiB; files without a name as well."""
    numbers = list(processes)
    folders = (path for keeper in numbers[:1] for path in scratches.glob(f"{keeper}-*"))
    found = {status.st_ino: status for path in folders for status in _below(path)}
    found.update({status.st_ino: status for number in numbers for status in _nameless(number)})
    return sum(status.st_blocks for status in found.values()) * _BLOCK_BYTES / MEBIBYTE


def _numbers() -> Iterator[int]:
    with os.scandir(_PROCESSES) as entries:
        yield from (int(entry.name) for entry in entries if entry.name.isdigit())


def _look_at(number: int) -> _Process | None:
    try:
        with open(f"{_PROCESSES}/{number}/stat", "rb") as file:
            columns = file.read().rpartition(b")")[2].split()
    except OSError:
        return None  # It has ended meanwhile.
    return _Process(int(columns[1]), sum(map(int, columns[11:15])), int(columns[17]), int(columns[21]))


def _proportional_kib(number: int) -> int:
    try:
        found = _PROPORTIONAL.search(Path(f"{_PROCESSES}/{number}/smaps_rollup").read_bytes())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _below(folder: Path) -> Iterator[os.stat_result]:
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(f"{path}/{name}")
            except OSError:
                continue  # It is gone by now.


def _nameless(number: int) -> Iterator[os.stat_result]:
    """Yield the files that a process has open though nobody finds them any more."""
    try:
        descriptors = os.listdir(f"{_PROCESSES}/{number}/fd")
    except OSError:
        return
    for descriptor in descriptors:
        try:
            status = os.stat(f"{_PROCESSES}/{number}/fd/{descriptor}")
        except OSError:
            continue
        if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
            yield status
