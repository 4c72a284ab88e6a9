"""Isolation by bubblewrap: a process sees a file system, processes and a network of its own."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.arena.processes.die_with_parent import FILTER_MARK, STATUS_MARK
from ordago.arena.processes.isolation.bot_user import AS_ROOT, BOT_USER, refuse_out_of_reach, runs_as_root
from ordago.arena.processes.isolation.confinement import MEBIBYTE, Confinement, Sandbox, User
from ordago.arena.processes.isolation.readable import outermost
from ordago.arena.processes.isolation.seccomp import Lenience, system_calls
from ordago.files import PRIVATE_FOLDER

_SCRATCH: Final = Path("/tmp")  # noqa: S108 - a file system of its own in each sandbox
_SCRATCH_BESIDE: Final = Path("/scratch")
"""The scratch folder of a bot that works in ``/tmp`` itself."""
_SHARED_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - its own, too
_OF_THE_KERNEL: Final = (Path("/proc"), Path("/dev"))
_SMALL_BYTES: Final = str(1 << 16)
_COMMAND: Final = ("/bin/sh", "-c", 'exec "$@"', "sh")
"""A shell that becomes the bot's command. Each sandbox has it, so if bubblewrap cannot start it, the sandbox failed; if
the shell cannot start the command, the bot failed. The shell takes a millisecond."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Isolation by the program ``bwrap``."""

    program: str
    """The path of ``bwrap``."""
    user: User | None = None
    """The user that bots run as, if the runner is root and can step down."""
    is_root_by_name: bool = False
    """True if bots see themselves as root, because root cannot step down. If they did not, they could read only files
    of root or open to all, and no Python in the home of another user."""

    @property
    def sentence(self) -> str:
        """The isolation in effect, for the organiser."""
        as_whom = f", and runs as user {self.user.number}, since Ordago runs as root" if self.user is not None else ""
        return f"each bot is isolated by bubblewrap ({self.program}){as_whom}"

    @property
    def left_open(self) -> str:
        """The gaps of the isolation, for the organiser: none, unless root cannot step down."""
        return AS_ROOT if runs_as_root() and self.user is None else ""

    def sandbox(self, confinement: Confinement) -> Sandbox:
        """Return the sandbox for a confinement.

        Raises:
            NoIsolationError: bots could not enter their folder.
        """
        refuse_out_of_reach(confinement.folder, self.user)
        shut_in = (
            *_namespaces(is_renamed=runs_as_root() and self.user is None and not self.is_root_by_name),
            *_file_system(confinement),
        )
        scratch = str(_scratch_of(confinement))
        return Sandbox(
            wrapper=(
                self.program,
                *("--json-status-fd", STATUS_MARK),
                *shut_in,
                *("--seccomp", FILTER_MARK, "--"),
                *_COMMAND,
            ),
            # A build may set modes and times: its mounts allow that only where it may write.
            system_calls=system_calls(Lenience.MODES if confinement.writable is not None else Lenience.BOT),
            environment={"HOME": scratch, "TMPDIR": scratch},
            limits=confinement.limits,
            writable=confinement.writable,
            user=self.user,
            places=confinement.places(),
        )


def bubblewrap(user: User | None = None) -> Bubblewrap | None:
    """Return the isolation by bubblewrap, for bots that run as this user; ``None`` if it is not installed."""
    program = shutil.which("bwrap")
    return Bubblewrap(program, user) if program is not None else None


def _namespaces(*, is_renamed: bool) -> Iterator[str]:
    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "cell")
    if is_renamed:
        # Inside it is an ordinary user, even though it is root to the rest of the machine.
        yield from ("--unshare-user", "--uid", str(BOT_USER), "--gid", str(BOT_USER))


@dataclass(frozen=True, slots=True)
class _Bind:
    """A part of the file system that is mounted read-only in the sandbox, and its place there."""

    source: Path
    place: Path
    is_needed: bool
    """True if the bot cannot start without it. Any other may be missing, if it was removed meanwhile."""

    @property
    def words(self) -> tuple[str, ...]:
        return ("--ro-bind" if self.is_needed else "--ro-bind-try", str(self.source), str(self.place))


def _file_system(confinement: Confinement) -> Iterator[str]:
    scratch = _scratch_of(confinement)
    anew = _made_anew(confinement)
    binds = _binds(confinement, anew)
    for bind in binds:
        if _zone(bind.place, anew) is None:
            yield from bind.words
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(confinement.limits.scratch_mib * MEBIBYTE), "--tmpfs", str(scratch))
    if _SHARED_MEMORY in anew:
        yield from ("--size", _SMALL_BYTES, "--tmpfs", str(_SHARED_MEMORY))
    # Binds inside mounts of the sandbox's own come after these mounts.
    for bind in binds:
        if _zone(bind.place, anew) is not None:
            yield from bind.words
    if confinement.writable is not None:
        yield from ("--bind", str(confinement.writable.path), str(confinement.writable.path))
    for path in sorted(set(_covered(binds, confinement.hidden, anew))):
        yield from _cover(path)
    if confinement.socket is not None:
        yield from ("--ro-bind", str(confinement.socket), str(confinement.socket))
    # Mapping /dev/zero gives memory that is not counted. /dev/full reads the same, but cannot be mapped.
    yield from ("--dev-bind", "/dev/full", "/dev/zero")
    # Read-only, since root could change settings of the machine through /proc, and devices through /dev.
    yield from ("--remount-ro", "/proc", "--remount-ro", "/dev")
    yield from ("--dir", str(confinement.folder), "--chdir", str(confinement.folder), "--remount-ro", "/")


def _scratch_of(confinement: Confinement) -> Path:
    shown = {path.resolve() for path in (*confinement.readable, confinement.folder)}
    # With the whole file system mounted read-only, no other folder can be made at the top.
    return _SCRATCH_BESIDE if _SCRATCH.resolve() in shown and Path("/") not in shown else _SCRATCH


def _made_anew(confinement: Confinement) -> frozenset[Path]:
    """Return the mounts that each sandbox has of its own. Only paths named explicitly are shown in them."""
    shown = {*confinement.readable, confinement.folder}
    memory = {_SHARED_MEMORY} - {path.resolve() for path in shown}
    return frozenset({*_OF_THE_KERNEL, *memory, _scratch_of(confinement)})


def _zone(place: Path, anew: frozenset[Path]) -> Path | None:
    """Return the sandbox's own mount that contains a place; ``None`` if there is none."""
    return max((zone for zone in anew if place.is_relative_to(zone)), default=None)


def _binds(confinement: Confinement, anew: frozenset[Path]) -> list[_Bind]:
    """Return the binds of all readable paths, at their real places and at those of their links, in ascending order."""
    hidden = [path.resolve() for path in confinement.hidden]
    readable = {*confinement.readable, confinement.folder}
    needed = {confinement.folder, confinement.folder.resolve()}
    by_zone: dict[Path | None, set[Path]] = {}
    for place in (*readable, *(path.resolve() for path in readable)):
        if place not in anew and not any(place.resolve().is_relative_to(path) for path in hidden):
            by_zone.setdefault(_zone(place, anew), set()).add(place)
    # Each zone by itself: a bind around a mount of the sandbox's own does not show the paths inside that mount.
    places = sorted(place for zone in by_zone.values() for place in outermost(zone))
    return [_Bind(place.resolve(), place, place in needed) for place in places]


def _covered(binds: list[_Bind], hidden: tuple[Path, ...], anew: frozenset[Path]) -> Iterator[Path]:
    """Yield the places at which hidden paths would be visible, and make those that are missing.

    Only existing paths can be covered, but a hidden folder can appear while bots run: the first event makes the folder
    of all events. A folder that cannot be made now cannot be made by the organiser later either.
    """
    for path in outermost(path.resolve() for path in hidden):
        for bind in binds:
            if path.is_relative_to(bind.source):
                place = bind.place / path.relative_to(bind.source)
                if _zone(place, anew) == _zone(bind.place, anew) and _is_there(path):
                    yield place


def _is_there(path: Path) -> bool:
    with suppress(OSError):
        path.mkdir(mode=PRIVATE_FOLDER, parents=True)
    return path.exists()


def _cover(path: Path) -> tuple[str, ...]:
    if path.is_dir():
        return ("--size", _SMALL_BYTES, "--tmpfs", str(path), "--remount-ro", str(path))
    return ("--ro-bind", "/dev/null", str(path))
