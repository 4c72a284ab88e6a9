"""An event at which spies play among innocent bots, and what they got."""

import os
import re
import secrets
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from torture.gallery_event import GALLERY, Played, run_event, started_by

SPIES = Path(__file__).parent / "spies"
INNOCENTS: Mapping[str, str] = {"innocent-random": 'house = "random"', "innocent-default": 'house = "default"'}
_LIMITS = """
[limits]
memory_mib = 256
processes = 64
scratch_mib = 32
"""
_TOLD = re.compile(r"^(tried|got) (.*)$", re.MULTILINE)


class Spied(NamedTuple):
    """What came of it."""

    played: Played
    tried: Mapping[str, set[str]]
    """What each spy has tried."""
    got: Mapping[str, set[str]]
    """What each spy has got."""
    survivors: Sequence[str]
    """The command lines of processes that were there after the event, and that it had begun."""


class _Bait(NamedTuple):
    """What a spy would like to have."""

    mark: str
    secret: Path
    port: int
    socket: Path

    @property
    def environment(self) -> dict[str, str]:
        """What the runner has in its environment."""
        return {"SPY_MARK": self.mark, "SPY_ORGANISER": "what only the organiser has"}

    def env(self, out: Path) -> dict[str, str]:
        """Return what the spies are told, who know all about the event."""
        return {
            "SPY_MARK": self.mark,
            "SPY_EVENT": str(out),
            "SPY_SECRET": str(self.secret),
            "SPY_PORT": str(self.port),
            "SPY_SOCKET": str(self.socket),
        }


def spied(folder: Path, spies: Mapping[str, Sequence[str]], *, seconds: float, path: str, terms: str = "") -> Spied:
    """Run an event of two innocents and these spies, each with what it tries.

    Args:
        folder: where the event is published, in ``out``.
        seconds: the event ends within this time.
        path: where the runner looks for programs, that which shuts bots in among them.
        terms: further lines of ``[event]``.
    """
    program = _copied(folder / "program")
    starts = {**INNOCENTS, **{name: started_by(sys.executable, str(program), *tries) for name, tries in spies.items()}}
    with _baited(folder / "organiser") as bait:
        played = run_event(
            folder,
            starts,
            repetitions=1,
            seconds=seconds,
            terms=terms,
            sections=_LIMITS,
            env=bait.env(folder / "out"),
            environment={"PATH": path, "HOME": str(bait.secret.parent), **bait.environment},
        )
        return Spied(played, _told(folder, "tried"), _told(folder, "got"), list(_survivors(bait.mark)))


def _copied(folder: Path) -> Path:
    """Copy the program of the spies to where it may be changed, and return it."""
    shutil.copytree(SPIES, folder)
    shutil.copy(GALLERY / "wire.py", folder)
    return folder / "spy.py"


@contextmanager
def _baited(folder: Path) -> Iterator[_Bait]:
    """Lay out what a spy would like to have, and take away what he has left behind."""
    mark = secrets.token_hex(8)
    folder.mkdir()
    (folder / "secret.txt").write_text("what only the organiser knows", encoding="utf-8")
    with ExitStack() as opened:
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(folder / "s"), f"\0{mark}"):
            other = opened.enter_context(socket.socket(socket.AF_UNIX))
            other.bind(address)
            other.listen()
        yield _Bait(mark, folder / "secret.txt", listener.getsockname()[1], folder / "s")
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run"):  # noqa: S108 - where spies leave notes
        for note in Path(place).glob(f"{mark}-*"):
            note.unlink()


def _told(folder: Path, verb: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for log in sorted((folder / "out" / "private" / "logs").glob("*.log")):
        told = _TOLD.findall(log.read_text(encoding="utf-8", errors="replace"))
        found.setdefault(log.name.split(".")[0], set()).update(what for said, what in told if said == verb)
    return {name: what for name, what in found.items() if what}


def _survivors(mark: str) -> Iterator[str]:
    """Yield the processes that are left, and end them."""
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdecimal() and mark.encode() in (process / "environ").read_bytes():
                yield (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue  # It has ended meanwhile.
