"""The confinement of a process: the paths and resources that it may use, and the sandbox that enforces it."""

import os
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

MEBIBYTE: Final = 1 << 20
_ROOM_TO_RESERVE: Final = 4
"""Multiple of its memory limit that a process may reserve. Memory in use is sampled; this stops a process that takes
too much between two samples. It leaves room for the engines of Java and JavaScript, which reserve more than they
use."""
_ROOM_TO_RECKON_SECONDS: Final = 60
"""CPU seconds beyond the limit at which the kernel kills a process. Usually the sampler ends it before, with a reason,
while an end by the kernel looks like a crash. This stops a process that is not sampled in time."""


class NoIsolationError(Exception):
    """This machine cannot isolate bots: it lacks a program, is set up wrongly or is too old."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on all processes of one bot or build together. If they use more, they are ended."""

    memory_mib: int = 1_024
    """Memory in MiB."""
    cpu_seconds: int = 0
    """CPU seconds, from the start to the end of a process; 0 for no limit."""
    processes: int = 256
    """Processes and threads at once."""
    open_files: int = 256
    """Open files of each process, connections among them."""
    scratch_mib: int = 64
    """Size of its scratch folder, in MiB."""

    def rlimits(self) -> Iterator[tuple[int, int]]:
        """Yield the limits that the kernel enforces on each single process: resource and amount."""
        yield resource.RLIMIT_CORE, 0
        yield resource.RLIMIT_NOFILE, self.open_files
        yield resource.RLIMIT_FSIZE, self.scratch_mib * MEBIBYTE
        yield resource.RLIMIT_DATA, _ROOM_TO_RESERVE * self.memory_mib * MEBIBYTE
        if self.cpu_seconds:
            yield resource.RLIMIT_CPU, self.cpu_seconds + _ROOM_TO_RECKON_SECONDS


@dataclass(frozen=True, slots=True)
class Writable:
    """A folder that a build may write to."""

    path: Path
    """The real path of the folder. It may hold nothing hidden, and no other user may write to its parents."""
    most_mib: float
    """Maximum size of its contents, in MiB, those from before included."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """The paths that a bot or build may use. Besides these it has only a scratch folder of its own."""

    folder: Path
    """The working folder, which it may read."""
    readable: tuple[Path, ...]
    """Files and folders that it may read, with all their contents."""
    hidden: tuple[Path, ...] = ()
    """Files and folders that it may not read, even inside readable ones."""
    socket: Path | None = None
    """The Unix socket of the server, its only connection to the outside."""
    limits: Limits = Limits()
    """Its resource limits."""
    writable: Writable | None = None
    """A folder that it may write to besides its scratch folder; ``None`` for a bot."""
    makes_socket: bool = False
    """True if its command makes a Unix socket in its scratch folder before it starts the bot."""

    def places(self) -> tuple[str, ...]:
        """Return the real paths of all that it may reach, in ascending order."""
        reached = [*self.readable, self.folder]
        reached += [self.socket] if self.socket is not None else []
        reached += [self.writable.path] if self.writable is not None else []
        return tuple(sorted({os.path.realpath(path) for path in reached}))


@dataclass(frozen=True, slots=True)
class User:
    """The user that bots and builds run as, if the runner is root."""

    number: int
    """The ID of the user and of its group."""
    namespace: int
    """The descriptor of a user namespace that maps root to this user, for a view of root's files."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The plan for the start program to confine a process.

    By default there is no confinement; still, no descendant outlives the process.
    """

    folder: Path | None = None
    """The working folder; ``None`` for that of the runner."""
    wrapper: tuple[str, ...] = ()
    """The program that makes the sandbox, and its arguments, before the bot's command. ``FILTER_MARK`` and
    ``STATUS_MARK`` among them stand for descriptors."""
    rules: tuple[tuple[str, int], ...] | None = None
    """The paths that Landlock permits, with the rights to them; ``None`` to go without Landlock."""
    system_calls: bytes = b""
    """The filter of system calls, as the kernel reads it; empty for none."""
    scratch: Path | None = None
    """The folder in which the start program makes a scratch folder; ``None`` to make none."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that the sandbox sets in the environment."""
    limits: Limits | None = None
    """The resource limits; ``None`` for none."""
    writable: Writable | None = None
    """The folder that it may write to besides its scratch folder; ``None`` for none."""
    makes_socket: bool = False
    """True if Landlock permits sockets in the scratch folder."""
    user: User | None = None
    """The user that it runs as; ``None`` for that of the runner."""
    places: tuple[str, ...] = ()
    """The real paths whose files the user has to access as root would."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """The descriptors that the start program has to inherit."""
        return () if self.user is None else (self.user.namespace,)

    def plan(self) -> dict[str, object]:
        """Return the plan for the start program, in plain types that it can read quickly."""
        return {
            "folder": str(self.folder or ""),
            "wrapper": self.wrapper,
            "rules": self.rules,
            "system_calls": self.system_calls,
            "scratch": str(self.scratch or ""),
            "user": 0 if self.user is None else self.user.number,
            "namespace": -1 if self.user is None else self.user.namespace,
            "places": self.places,
            "makes_socket": self.makes_socket,
            "rlimits": tuple(self.limits.rlimits()) if self.limits is not None else (),
        }


class Isolation(Protocol):
    """A method to isolate bots."""

    @property
    def sentence(self) -> str:
        """The isolation in effect, for the organiser."""

    @property
    def left_open(self) -> str:
        """The gaps of the isolation, for the organiser; empty if there are none."""

    def sandbox(self, confinement: Confinement) -> Sandbox:
        """Return the sandbox for a confinement.

        Raises:
            NoIsolationError: bots could not enter their folder.
        """
