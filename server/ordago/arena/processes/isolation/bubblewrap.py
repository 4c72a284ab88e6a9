"""Isolation by bubblewrap: a life sees a file system, processes and a network of its own."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.arena.processes.die_with_parent import FILTER_MARK
from ordago.arena.processes.isolation.carving import carved, outermost
from ordago.arena.processes.isolation.confinement import MEBIBYTE, Cell, Confinement
from ordago.arena.processes.isolation.seccomp import Lenience, system_calls

_SCRATCH: Final = "/tmp"  # noqa: S108 - a file system of its own for each life
_SMALL_BYTES: Final = str(1 << 16)
_MADE_ANEW: Final = frozenset(map(Path, ("/proc", "/dev", _SCRATCH)))


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Shuts bots in by the program ``bwrap``."""

    program: str
    """Its path."""

    @property
    def sentence(self) -> str:
        """What holds, for the organiser."""
        return f"each bot is isolated by bubblewrap ({self.program})"

    @property
    def left_open(self) -> str:
        """What bots can do all the same: nothing."""
        return ""

    def cell(self, confinement: Confinement) -> Cell:
        """Return how a life is started so that it reaches no more than this."""
        return Cell(
            wrapper=(self.program, *_namespaces(), *_file_system(confinement), "--seccomp", FILTER_MARK, "--"),
            # It can only write to what it may write to, by modes and times as well.
            system_calls=system_calls(Lenience.MODES if confinement.writable is not None else Lenience.BOT),
            environment={"HOME": _SCRATCH, "TMPDIR": _SCRATCH},
            limits=confinement.limits,
            writable=confinement.writable,
        )


def bubblewrap() -> Bubblewrap | None:
    """Return what shuts in by bubblewrap, if it is installed."""
    program = shutil.which("bwrap")
    return Bubblewrap(program) if program is not None else None


def _namespaces() -> Iterator[str]:
    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "cell")


def _file_system(confinement: Confinement) -> Iterator[str]:
    binds = list(_binds(confinement))
    # What lies in places that are made anew has to wait until they are.
    early = [bind for bind in binds if not any(bind[1].is_relative_to(place) for place in _MADE_ANEW)]
    for source, place in early:
        yield from ("--ro-bind", str(source), str(place))
    scratch_bytes = str(confinement.limits.scratch_mib * MEBIBYTE)
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", scratch_bytes, "--tmpfs", _SCRATCH)
    for source, place in binds[len(early) :]:
        yield from ("--ro-bind", str(source), str(place))
    if confinement.writable is not None:
        yield from ("--bind", str(confinement.writable.path), str(confinement.writable.path))
    for path in sorted(set(_covered(binds, confinement.hidden))):
        yield from _cover(path)
    if confinement.socket is not None:
        yield from ("--ro-bind", str(confinement.socket), str(confinement.socket))
    # What is mapped of the one is memory that nobody counts; of the other nothing can be.
    yield from ("--dev-bind", "/dev/full", "/dev/zero")
    yield from ("--size", _SMALL_BYTES, "--tmpfs", "/dev/shm", "--remount-ro", "/dev")  # noqa: S108 - its own
    yield from ("--dir", str(confinement.folder), "--chdir", str(confinement.folder), "--remount-ro", "/")


def _binds(confinement: Confinement) -> list[tuple[Path, Path]]:
    """Return what is shown, and where: at its own place, and where it is known by a link. The places ascend."""
    hidden = [path.resolve() for path in confinement.hidden]
    readable = {*confinement.readable, confinement.folder}
    places = {
        place
        for place in (*readable, *(path.resolve() for path in readable))
        if place not in _MADE_ANEW and not any(place.resolve().is_relative_to(path) for path in hidden)
    }
    # What is not there yet cannot be covered: the entries beside it are shown one by one, and it is not when it comes.
    absent = [path for path in hidden if not path.exists()]
    return [
        (shown, place / shown.relative_to(place.resolve()))
        for place in sorted(outermost(places), key=_place_order)
        for shown in carved(place.resolve(), absent)
    ]


def _place_order(place: Path) -> tuple[bool, Path]:
    return any(place.is_relative_to(other) for other in _MADE_ANEW), place


def _covered(binds: list[tuple[Path, Path]], hidden: tuple[Path, ...]) -> Iterator[Path]:
    for path in outermost(path.resolve() for path in hidden):
        for source, place in binds:
            if path.is_relative_to(source) and path.exists():
                yield place / path.relative_to(source)


def _cover(path: Path) -> tuple[str, ...]:
    if path.is_dir():
        return ("--size", _SMALL_BYTES, "--tmpfs", str(path), "--remount-ro", str(path))
    return ("--ro-bind", "/dev/null", str(path))
