"""What a life may reach and use, whatever holds it to that, and how it is started so that it does."""

import os
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

MEBIBYTE: Final = 1 << 20
_ROOM_TO_RESERVE: Final = 4
"""So many times its memory a process may reserve. What it uses is sampled; this stops whoever takes it at one stroke,
and leaves alone the engines of Java and JavaScript, which reserve much more than they use."""
_ROOM_TO_RECKON_SECONDS: Final = 60
"""So much longer than it may a process can reckon. Its time is sampled, and whoever is ended for it is told so, where
those whom the kernel ends seem to have crashed. This stops whoever is not looked at in time."""


class NoIsolationError(Exception):
    """This machine cannot shut bots in. Whoever looks after it erred, or it is too old."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What all processes of one life may use together. Whoever takes more is ended."""

    memory_mib: int = 1_024
    """Memory in MiB."""
    cpu_seconds: int = 0
    """Seconds of a processor, from the start to the end of a process. 0: no limit."""
    processes: int = 256
    """Processes and threads at once."""
    open_files: int = 256
    """Open files of each process, connections among them."""
    scratch_mib: int = 64
    """What lies in its scratch folder, in MiB."""

    def rlimits(self) -> Iterator[tuple[int, int]]:
        """Yield what the kernel itself holds each process to: resource and amount."""
        yield resource.RLIMIT_CORE, 0
        yield resource.RLIMIT_NOFILE, self.open_files
        yield resource.RLIMIT_FSIZE, self.scratch_mib * MEBIBYTE
        yield resource.RLIMIT_DATA, _ROOM_TO_RESERVE * self.memory_mib * MEBIBYTE
        if self.cpu_seconds:
            yield resource.RLIMIT_CPU, self.cpu_seconds + _ROOM_TO_RECKON_SECONDS


@dataclass(frozen=True, slots=True)
class Writable:
    """A folder that a life may write to: it builds something there."""

    path: Path
    """The folder, by its real path. Nothing hidden may lie in it, and nobody else may write to what it lies in."""
    most_mib: float
    """What may lie in it, in MiB, with what was there before."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a life may reach. Nothing else is there for it, but a scratch folder of its own."""

    folder: Path
    """Where it works. It may read what lies there."""
    readable: tuple[Path, ...]
    """Files and folders that it may read, with all that lies in them."""
    hidden: tuple[Path, ...] = ()
    """What it may not read wherever that lies; whole folders too."""
    socket: Path | None = None
    """The Unix socket of the server, its only way to anybody."""
    limits: Limits = Limits()
    """What it may use."""
    writable: Writable | None = None
    """Where it may write beside its scratch folder; a bot may nowhere."""

    def places(self) -> tuple[str, ...]:
        """Return the real paths of all that it may reach, ascending."""
        reached = [*self.readable, self.folder]
        reached += [self.socket] if self.socket is not None else []
        reached += [self.writable.path] if self.writable is not None else []
        return tuple(sorted({os.path.realpath(path) for path in reached}))


@dataclass(frozen=True, slots=True)
class User:
    """The user that bots and builds run as where the runner is root."""

    number: int
    """Its number, of a user and of a group."""
    namespace: int
    """The descriptor of a user namespace that maps root to it, for a view of the files of root."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How the start program shuts a life in. Without anything it does not, but nothing that it starts outlives it."""

    folder: Path | None = None
    """Where it works; where the runner does if ``None``."""
    wrapper: tuple[str, ...] = ()
    """The program that shuts it in, and its arguments, before those of the bot. ``FILTER_MARK`` among them stands for
    the descriptor that the filter is read from."""
    rules: tuple[tuple[str, int], ...] | None = None
    """The paths that Landlock opens, with the rights to them. ``None``: it is not asked."""
    system_calls: bytes = b""
    """The filter of system calls, as the kernel reads it; empty for none."""
    scratch: Path | None = None
    """The folder in which the start program makes a scratch folder. ``None``: the wrapper makes one, if anybody."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What the place asks for in the environment."""
    limits: Limits | None = None
    """What it may use; ``None`` for as much as it likes."""
    writable: Writable | None = None
    """The folder that it may write to beside its scratch folder, if there is one."""
    user: User | None = None
    """The user that it runs as; the runner's own if ``None``."""
    places: tuple[str, ...] = ()
    """The real paths that the user has to have as root has them."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What the start program inherits."""
        return () if self.user is None else (self.user.namespace,)

    def plan(self) -> dict[str, object]:
        """Return what the start program has to know, in the plain types that it can read quickly."""
        return {
            "folder": str(self.folder or ""),
            "wrapper": self.wrapper,
            "rules": self.rules,
            "system_calls": self.system_calls,
            "scratch": str(self.scratch or ""),
            "user": 0 if self.user is None else self.user.number,
            "namespace": -1 if self.user is None else self.user.namespace,
            "places": self.places,
            "rlimits": tuple(self.limits.rlimits()) if self.limits is not None else (),
        }


class Isolation(Protocol):
    """A way to shut bots in."""

    @property
    def sentence(self) -> str:
        """What holds, for the organiser."""

    @property
    def left_open(self) -> str:
        """What bots can do all the same, for the organiser; nothing if it is nothing."""

    def sandbox(self, confinement: Confinement) -> Sandbox:
        """Return how a life is started so that it reaches no more than this."""
