"""Resource use of processes, as the kernel reports it in ``/proc``."""

import errno
import math
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ordago.arena.processes.isolation.confinement import MEBIBYTE

_PROCESSES: Final = "/proc"
_PROPORTIONAL: Final = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)
_TABLES: Final = re.compile(rb"^VmPTE:\s+(\d+) kB", re.MULTILINE)
_RESERVED_TO_TABLES: Final = 512
"""Reserved pages for each page of a page table, whether they are in use or not."""
_BLOCK_BYTES: Final = 512
"""The unit of ``st_blocks``, whatever the blocks of the file system."""
_HIDDEN: Final = (errno.ENAMETOOLONG, errno.EACCES)
_LEAST_BLOCKS: Final = 8
"""Blocks to count at least for each entry, a folder or an empty file included: 4 KiB."""


class _Process(NamedTuple):
    parent: int
    ticks: int
    threads: int
    memory_bytes: int
    """An upper bound of its memory and its page tables."""
    speaker: int
    """The ID of the thread whose entry reports its memory: the first one that has not ended."""


class Used(NamedTuple):
    """The resource use of a process and its descendants."""

    tasks: int
    """Number of processes and threads."""
    cpu_seconds: float
    """CPU seconds, those of ended descendants included."""
    memory_mib_at_most: float
    """An upper bound of their memory in MiB: shared memory counts for each of them, page tables as if in full use."""


class Processes:
    """All processes at one moment."""

    def __init__(self, processes: dict[int, _Process]) -> None:
        """Hold processes by their IDs; use ``now`` to read them."""
        self._processes = processes
        self._children: dict[int, list[int]] = {}
        for number, process in processes.items():
            self._children.setdefault(process.parent, []).append(number)

    @classmethod
    def now(cls) -> "Processes":
        """Read all processes of the machine."""
        return cls({number: process for number in _numbers() if (process := _look_at(number)) is not None})

    def of(self, root: int) -> list[int]:
        """Return the IDs of a process and all its descendants."""
        found = [root]
        for number in found:
            found += self._children.get(number, ())
        return [number for number in found if number in self._processes]

    def used_by(self, root: int) -> Used:
        """Return the resource use of a process and its descendants."""
        own = [self._processes[number] for number in self.of(root)]
        return Used(
            tasks=sum(process.threads for process in own),
            cpu_seconds=sum(process.ticks for process in own) / os.sysconf("SC_CLK_TCK"),
            memory_mib_at_most=sum(process.memory_bytes for process in own) / MEBIBYTE,
        )

    def memory_mib_of(self, root: int) -> float:
        """Return the memory of a process and its descendants in MiB, with shared memory divided among its users.

        Page tables count, too, since a process can grow by these alone.
        """
        speakers = (self._processes[number].speaker for number in self.of(root))
        return sum(map(_memory_kib, speakers)) / 1024


def scratch_mib(scratches: Path, processes: Iterable[int]) -> float:
    """Return the size of a bot's scratch folder in MiB, with open files that have no name any more.

    It is infinite if it cannot be measured, since paths are too long for instance.

    Args:
        scratches: the folder that holds all scratch folders.
        processes: the IDs of the keeper, first, and its descendants.
    """
    numbers = list(processes)
    return _lying_mib(scratches.glob(f"{numbers[0]}-*") if numbers else (), numbers)


def folder_mib(folder: Path, processes: Iterable[int] = ()) -> float:
    """Return the size of a folder in MiB, with files without a name that these processes have open.

    It is infinite if it cannot be measured.
    """
    return _lying_mib([folder], list(processes))


def _lying_mib(folders: Iterable[Path], processes: list[int]) -> float:
    found: dict[int, int] = {}
    try:
        for path in folders:
            found.update({status.st_ino: max(_LEAST_BLOCKS, status.st_blocks) for status in _below(path)})
    except OSError as error:
        # The bot is not to blame for other errors, such as too many open files in this process.
        if error.errno in _HIDDEN:
            return math.inf
    found.update({status.st_ino: status.st_blocks for number in processes for status in _nameless(number)})
    return sum(found.values()) * _BLOCK_BYTES / MEBIBYTE


def _numbers() -> Iterator[int]:
    with os.scandir(_PROCESSES) as entries:
        yield from (int(entry.name) for entry in entries if entry.name.isdigit())


def _look_at(number: int) -> _Process | None:
    try:
        columns = usage_of_all = _columns(number)
        speaker = number
        # The first thread may have ended before the others. Its entry then reports no memory.
        if columns[0] == b"Z" and int(columns[17]) > 1:
            speaker, columns = next(_threads_alive(number), (number, columns))
    except OSError:
        return None  # It has ended meanwhile.
    memory_bytes = int(columns[20]) // _RESERVED_TO_TABLES + int(columns[21]) * os.sysconf("SC_PAGE_SIZE")
    ticks = sum(map(int, usage_of_all[11:15]))
    return _Process(int(columns[1]), ticks, int(columns[17]), memory_bytes, speaker)


def _columns(number: int) -> list[bytes]:
    with open(f"{_PROCESSES}/{number}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def _threads_alive(number: int) -> Iterator[tuple[int, list[bytes]]]:
    for name in os.listdir(f"{_PROCESSES}/{number}/task"):
        # A thread that ends just now must not hide the others.
        with suppress(OSError):
            columns = _columns(int(name))
            if columns[0] != b"Z":
                yield int(name), columns


def _memory_kib(number: int) -> int:
    return _first(_PROPORTIONAL, number, "smaps_rollup") + _first(_TABLES, number, "status")


def _first(pattern: re.Pattern[bytes], number: int, name: str) -> int:
    try:
        found = pattern.search(Path(f"{_PROCESSES}/{number}/{name}").read_bytes())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def _below(folder: Path) -> Iterator[os.stat_result]:
    """Yield the status of everything in a folder, at any depth."""
    folders = [str(folder)]
    while folders:
        for entry in _entries(folders.pop()):
            # A bot may delete its files while they are counted.
            with suppress(FileNotFoundError):
                yield entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)


def _entries(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []  # It has been removed meanwhile.


def _nameless(number: int) -> Iterator[os.stat_result]:
    """Yield the status of files that a process has open, though they have been removed."""
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
