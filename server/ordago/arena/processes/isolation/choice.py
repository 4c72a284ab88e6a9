"""Which of the ways to shut bots in is taken on this machine."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.bubblewrap import Bubblewrap, bubblewrap
from ordago.arena.processes.isolation.confinement import Confinement, Isolation
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, Landlock, landlock_version
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.seccomp import system_calls
from ordago.arena.processes.isolation.starting import started

_TRY: Final = (sys.executable, "-I", "-S", "-c", "pass")
_TRY_SECONDS: Final = 10.0
_REMEDY: Final = 'install bubblewrap, or write isolation = "none" into [event] if you trust all bots with this machine'


class NoIsolationError(Exception):
    """This machine cannot shut bots in. Whoever looks after it erred, or it is too old."""


@contextmanager
def isolation_here(
    *,
    find_bubblewrap: Callable[[], Bubblewrap | None] = bubblewrap,
    find_landlock: Callable[[], int] = landlock_version,
    works: Callable[[Isolation], str] | None = None,
) -> Iterator[Isolation]:
    """Give the best way to shut bots in that this machine has: bubblewrap, or else Landlock.

    Args:
        find_bubblewrap: returns bubblewrap if it is installed.
        find_landlock: returns the version of Landlock that the kernel has, 0 for none.
        works: tries a way, and returns why it does not work; nothing if it does.

    Raises:
        NoIsolationError: it has none.
    """
    works = works or reason_against
    with tempfile.TemporaryDirectory(prefix="ordago-scratch-", ignore_cleanup_errors=True) as folder:
        reasons: list[str] = []
        for candidate in _candidates(find_bubblewrap(), find_landlock(), Path(folder), reasons):
            reason = works(candidate)
            if not reason:
                yield candidate
                return
            reasons.append(reason)
        raise NoIsolationError(f"bots cannot be isolated on this machine: {'; '.join(reasons)}; {_REMEDY}")


def _candidates(wrapper: Bubblewrap | None, version: int, scratches: Path, reasons: list[str]) -> Iterator[Isolation]:
    """Yield what may work, and note why others cannot."""
    if not system_calls():
        reasons.append("there is no filter of system calls for its processor")
        return
    if wrapper is not None:
        yield wrapper
    else:
        reasons.append("bubblewrap is not installed (there is no program 'bwrap')")
    if version >= LEAST_VERSION:
        yield Landlock(scratches)
    else:
        has = f"version {version} of Landlock" if version else "no Landlock that is switched on"
        reasons.append(f"the kernel has {has}, and it takes version {LEAST_VERSION}")


def reason_against(isolation: Isolation) -> str:
    """Try a way to shut programs in, and return why it does not work; nothing if it does."""
    folder = Path(sys.prefix)
    cell = isolation.cell(Confinement(folder=folder, readable=readable_for(_TRY, folder)))
    with started(cell, _TRY, environment=dict(os.environ), stdin=subprocess.DEVNULL, output=subprocess.PIPE) as process:
        try:
            said, _ = process.communicate(timeout=_TRY_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"{type(isolation).__name__} does not answer within {_TRY_SECONDS:g} s"
    if process.returncode == 0:
        return ""
    last_words = said.decode(errors="replace").strip().splitlines()[-1:]
    return f"{type(isolation).__name__} does not work: {''.join(last_words) or f'it ended with {process.returncode}'}"
