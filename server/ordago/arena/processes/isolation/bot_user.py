"""The user that bots run as where the runner is root: it owns nothing and has no capabilities."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.confinement import NoIsolationError, User

AS_ROOT: Final = (
    "Ordago runs as root and cannot run bots as another user here, so they run as root without its privileges; run "
    "Ordago as a user of its own"
)
"""The notice for the organiser that bots run as root, where root cannot step down."""
BOT_USER: Final = 65_533
"""A user ID that no distribution assigns, and that exists in containers with IDs up to 65,535. Not 65,534, "nobody",
since services run as that user."""
_MOST_IDS: Final = 2**32 - 1
"""The number of user IDs: they have 32 bits, and the last one stands for no user."""
_NEEDED: Final = {0: "chown", 1: "override", 5: "kill", 6: "setgid", 7: "setuid", 19: "ptrace", 21: "admin"}
"""The capabilities that this takes: to hand over files, to become the user, and to watch and kill its processes."""
_WAIT: Final = (
    "import ctypes, sys; print(ctypes.CDLL(None).unshare(0x10000000), flush=True); sys.stdin.read()"  # a user namespace
)


@contextmanager
def bot_user() -> Iterator[User | None]:
    """Yield the user that bots run as; ``None`` if that is the runner's own, or root cannot become another one."""
    namespace = _namespace() if runs_as_root() and _has_capabilities() else None
    if namespace is None:
        yield None
        return
    try:
        yield User(BOT_USER, namespace)
    finally:
        os.close(namespace)


def refuse_out_of_reach(folder: Path, user: User | None) -> None:
    """Refuse a folder that bots could not enter, since it or a parent is open to another user only.

    Raises:
        NoIsolationError: they could not enter it.
    """
    place = folder.resolve()
    # A missing folder is reported later, at the start of a process in it.
    for path in (*reversed(place.parents), place) if user is not None and place.exists() else ():
        status = path.stat()
        if 0 not in (status.st_uid, status.st_gid) and not status.st_mode & stat.S_IXOTH:
            raise NoIsolationError(
                f"bots cannot work in {folder}: only user {status.st_uid} can open {path}, and since Ordago runs as "
                f"root, bots run as user {BOT_USER}; run Ordago as user {status.st_uid}, or use another folder"
            )


def runs_as_root() -> bool:
    """Return True if this program runs as root, on Linux."""
    return sys.platform == "linux" and os.geteuid() == 0


def _has_capabilities() -> bool:
    status = Path("/proc/self/status").read_text(encoding="utf-8", errors="replace")
    held = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("CapEff:"))
    return all(held >> number & 1 for number in _NEEDED)


def _namespace() -> int | None:
    """Return a user namespace that maps root to the user of bots, and others to themselves; ``None`` if it fails."""
    command = [sys.executable, "-I", "-S", "-c", _WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:  # noqa: S603 - ours
        said = holder.stdout.readline().strip() if holder.stdout is not None else b""
        try:
            return _mapped(Path(f"/proc/{holder.pid}")) if said == b"0" else None
        except OSError:
            return None
        finally:
            holder.communicate()


def _mapped(process: Path) -> int:
    rest = BOT_USER + 1
    for kind in ("uid_map", "gid_map"):
        lines = f"0 {BOT_USER} 1\n1 1 {BOT_USER - 1}\n{rest} {rest} {_MOST_IDS - rest}\n"
        (process / kind).write_text(lines, encoding="ascii")
    return os.open(process / "ns/user", os.O_RDONLY | os.O_CLOEXEC)
