"""The choice of the isolation for this machine."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.bot_user import bot_user, runs_as_root
from ordago.arena.processes.isolation.bubblewrap import Bubblewrap, bubblewrap
from ordago.arena.processes.isolation.confinement import Confinement, Isolation, NoIsolationError, User
from ordago.arena.processes.isolation.landlock import LEAST_VERSION, Landlock, landlock_version
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.seccomp import system_calls
from ordago.arena.processes.isolation.starting import started

__all__ = ["NoIsolationError", "isolation_here", "reason_against"]

_TRY: Final = (sys.executable, "-I", "-S", "-c", "pass")
_TRY_SECONDS: Final = 10.0
_REMEDY: Final = 'install bubblewrap, or write isolation = "none" into [event] if you trust all bots with this machine'


@contextmanager
def isolation_here(
    *,
    find_bubblewrap: Callable[[User | None], Bubblewrap | None] = bubblewrap,
    find_landlock: Callable[[], int] = landlock_version,
    works: Callable[[Isolation], str] | None = None,
) -> Iterator[Isolation]:
    """Yield the best isolation that works on this machine: bubblewrap, or else Landlock.

    Where the runner is root, bots run as another user if possible.

    Args:
        find_bubblewrap: returns bubblewrap if it is installed, for bots that run as this user.
        find_landlock: returns the version of Landlock that the kernel has, 0 for none.
        works: tries an isolation and returns why it does not work; empty if it does. ``None`` for
            ``reason_against``.

    Raises:
        NoIsolationError: none works.
    """
    works = works or reason_against
    scratches = tempfile.TemporaryDirectory(prefix="ordago-scratch-", ignore_cleanup_errors=True)
    with scratches as folder, bot_user() as user:
        reasons: list[str] = []
        wrappers = [find_bubblewrap(one) for one in dict.fromkeys((user, None))]
        if runs_as_root():
            wrappers += [replace(wrapper, is_root_by_name=True) for wrapper in wrappers[-1:] if wrapper is not None]
        landlocks = [Landlock(Path(folder), one) for one in dict.fromkeys((user, None))]
        for candidate in _candidates(wrappers, landlocks, find_landlock(), reasons):
            reason = works(candidate)
            if not reason:
                yield candidate
                return
            reasons.append(reason)
        raise NoIsolationError(f"bots cannot be isolated on this machine: {'; '.join(reasons)}; {_REMEDY}")


def _candidates(
    wrappers: Sequence[Bubblewrap | None], landlocks: Sequence[Landlock], version: int, reasons: list[str]
) -> Iterator[Isolation]:
    """Yield the isolations that may work, and append the reasons against the others."""
    if not system_calls():
        reasons.append("there is no system call filter for this processor")
        return
    yield from filter(None, wrappers)
    if None in wrappers:
        reasons.append("bubblewrap is not installed (there is no program 'bwrap')")
    if version >= LEAST_VERSION:
        yield from landlocks
    else:
        has = f"version {version} of Landlock" if version else "no Landlock enabled"
        reasons.append(f"the kernel has {has}, and version {LEAST_VERSION} is required")


def reason_against(isolation: Isolation) -> str:
    """Try an isolation by running a program, and return why it does not work; empty if it does."""
    # A private temporary folder, like that of the server's socket: if a bot can use it, it can reach the socket.
    with tempfile.TemporaryDirectory(prefix="ordago-try-") as private:
        folder = Path(private)
        sandbox = isolation.sandbox(Confinement(folder=folder, readable=readable_for(_TRY, folder)))
        environment = dict(os.environ)
        tried = started(sandbox, _TRY, environment=environment, stdin=subprocess.DEVNULL, output=subprocess.PIPE)
        with tried as process:
            try:
                said, _ = process.communicate(timeout=_TRY_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                return f"{type(isolation).__name__} did not answer within {_TRY_SECONDS:g} s"
    if process.returncode == 0:
        return ""
    last_words = said.decode(errors="replace").strip().splitlines()[-1:]
    return f"{type(isolation).__name__} does not work: {''.join(last_words) or f'it ended with {process.returncode}'}"
