"""Isolation by Landlock and the filter of system calls, for kernels with both and without bubblewrap."""

import ctypes
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.bot_user import AS_ROOT, refuse_out_of_reach, runs_as_root
from ordago.arena.processes.isolation.confinement import Confinement, Sandbox, User
from ordago.arena.processes.isolation.readable import on_the_way, outermost, without_masked
from ordago.arena.processes.isolation.seccomp import Lenience, system_calls
from ordago.arena.processes.kernel import (
    CREATE_RULESET,
    EXECUTE,
    LAST_SOCKET,
    LIST,
    READ_FILE,
    RIGHTS_TO_WRITE,
    TRUNCATE,
    WRITE_FILE,
)

LEAST_VERSION: Final = 6
"""The first version of Landlock that isolates signals and abstract sockets."""

_READ: Final = EXECUTE | READ_FILE | LIST
_TELL_VERSION: Final = 1
_DEVICES: Final = ("/dev/null", "/dev/full")
# Read-only: a writable mapping of /dev/zero is shared memory that is not counted.
_SOURCES: Final = ("/dev/zero", "/dev/random", "/dev/urandom")
_OF_THE_KERNEL: Final = (Path("/proc"), Path("/dev"))
"""Folders whose entries are permitted one by one, even if the working folder is ``/``."""
_OF_THE_SYSTEM: Final = (
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/version"),
    *(
        "/proc/sys/kernel/osrelease",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sys/vm/max_map_count",
        "/proc/sys/kernel/random/uuid",
    ),
)


@dataclass(frozen=True, slots=True)
class Landlock:
    """Isolation by Landlock."""

    scratches: Path
    """The folder that scratch folders are made in, which belongs to the runner."""
    user: User | None = None
    """The user that bots run as, if the runner is root and can step down."""

    @property
    def sentence(self) -> str:
        """The isolation in effect, for the organiser."""
        as_whom = f"; it runs as user {self.user.number}, since Ordago runs as root" if self.user is not None else ""
        return f"each bot is isolated by Landlock and seccomp, since bubblewrap does not work here{as_whom}"

    @property
    def left_open(self) -> str:
        """The gaps of the isolation, for the organiser."""
        sockets = foreign_sockets(self.scratches)
        reached = f"; they can connect to {len(sockets)} sockets of other programs, {sockets[0]}" if sockets else ""
        as_root = f"; {AS_ROOT}" if runs_as_root() and self.user is None else ""
        return (
            "bots can see names, sizes and times of files that they cannot read, and the number of "
            f"processes{reached}{' for instance' if len(sockets) > 1 else ''}; bubblewrap would prevent that{as_root}"
        )

    def sandbox(self, confinement: Confinement) -> Sandbox:
        """Return the sandbox for a confinement.

        Raises:
            NoIsolationError: bots could not enter their folder.
        """
        refuse_out_of_reach(confinement.folder, self.user)
        return Sandbox(
            folder=confinement.folder,
            rules=tuple(_rules(confinement, (*confinement.hidden, self.scratches))),
            # The filter has to refuse setting modes and times, since Landlock does not, even for files it protects.
            system_calls=system_calls(Lenience.LOCKS if confinement.writable is not None else Lenience.BOT),
            scratch=self.scratches,
            environment={LAST_SOCKET: "1"} if confinement.makes_socket else {},
            limits=confinement.limits,
            writable=confinement.writable,
            makes_socket=confinement.makes_socket,
            user=self.user,
            places=(*confinement.places(), str(self.scratches.resolve())),
        )


def landlock_version() -> int:
    """Return the version of Landlock that the kernel has; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, _TELL_VERSION)))


def _rules(confinement: Confinement, all_hidden: tuple[Path, ...]) -> Iterator[tuple[str, int]]:
    hidden = outermost(path.resolve() for path in all_hidden)
    readable = outermost(path.resolve() for path in (*confinement.readable, confinement.folder))
    for path in readable:
        masked = (*hidden, *(place for place in _OF_THE_KERNEL if place.is_relative_to(path)))
        for opened in without_masked(path, masked):
            yield str(opened), _READ
        if on_the_way(path, hidden):
            # Python has to list a folder to find modules in it. The right extends to everything below.
            yield str(path), LIST
    if confinement.writable is not None:
        yield str(confinement.writable.path), RIGHTS_TO_WRITE
    for name in _DEVICES:
        yield name, READ_FILE | WRITE_FILE | TRUNCATE
    for name in (*_SOURCES, *_OF_THE_SYSTEM):
        yield name, READ_FILE


_ALL: Final = Path("/proc/net/unix")
_PATH_COLUMN: Final = 7


def foreign_sockets(own: Path, *, table: Path = _ALL) -> list[str]:
    """Return the paths of all Unix sockets that the user may connect to, in ascending order.

    Args:
        own: a folder whose sockets are left out.
        table: the kernel's table of Unix sockets.
    """
    try:
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    except OSError:
        return []
    found = {
        columns[_PATH_COLUMN] for line in lines if len(columns := line.split(maxsplit=_PATH_COLUMN)) > _PATH_COLUMN
    }
    return sorted(path for path in found if _may_be_reached(path) and not Path(path).is_relative_to(own))


def _may_be_reached(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode) and os.access(path, os.W_OK)  # noqa: PTH116 - the text of a table
    except (OSError, ValueError):
        return False
