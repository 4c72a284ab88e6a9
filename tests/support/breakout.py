"""A bot that tries to break out of its cell: ``main()`` runs in the cell, and prints what it could do.

It is read as a text and run in a cell, and so imports nothing but what Python brings.
"""

import ctypes
import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000
REMOUNT_BIND = 0x20 | 0x1000
CLONE = {"x86_64": 56, "aarch64": 220}
BEHIND_LINKS = ("/proc/1/root", "/proc/self/root", "/proc/self/cwd/../../../../..", "/proc/thread-self/root")
SETTINGS = tuple(f"/proc/{name}" for name in ("sys/kernel/core_pattern", "sys/vm/overcommit_memory", "sysrq-trigger"))
library = ctypes.CDLL(None, use_errno=True)


def writable(paths: list[str]) -> list[str]:
    """Return those that can be opened for writing. Nothing is written."""
    found = []
    for path in paths:
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            continue
        found.append(path)
    return found


def own_files() -> list[str]:
    """Return all files of all processes that it sees, its own above all."""
    found = []
    numbers = [name for name in listed("/proc") if name.isdigit()]
    for name in ("self", "thread-self", "1", str(os.getpid()), str(os.getppid()), *numbers):
        for above, _, files in os.walk(f"/proc/{name}"):
            found += [f"{above}/{file}" for file in files if not Path(above, file).is_symlink()]
    # Who may not list a folder knows what is in it all the same.
    names = ("mem", "comm", "oom_score_adj", "clear_refs", "uid_map", "setgroups", "attr/current", "timerslack_ns")
    return found + [f"/proc/{whose}/{name}" for whose in ("self", "1") for name in names]


def listed(path: str) -> list[str]:
    """Return what lies in a folder; nothing where that may not be known."""
    try:
        return [entry.name for entry in Path(path).iterdir()]
    except OSError:
        return []


def called(function: str, *arguments: Any) -> Callable[[], int]:
    """Return a call of the C library that raises where the kernel refuses."""

    def call() -> int:
        result = int(getattr(library, function)(*arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), function)
        return result

    return call


def device(kind: int) -> Callable[[], None]:
    """Return the making of a device node: of the memory of the machine, or of its first disk."""
    return lambda: os.mknod(f"{os.environ['TMPDIR']}/{kind:o}", kind | 0o600, os.makedev(1, 1))


ATTEMPTS: dict[str, Callable[[], Any]] = {
    "mount": called("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "mount proc": called("mount", b"proc", os.environ.get("TMPDIR", "").encode(), b"proc", 0, None),
    "remount": called("mount", None, b"/proc", None, REMOUNT_BIND, None),
    "remount all": called("mount", None, b"/", None, REMOUNT_BIND, None),
    "umount": called("umount2", b"/proc", 0),
    "detach": called("umount2", b"/", 2),
    "unshare user": called("unshare", NEW_USER),
    "unshare both": called("unshare", NEW_USER | NEW_MOUNTS),
    "unshare mounts": called("unshare", NEW_MOUNTS),
    "clone": called("syscall", CLONE[os.uname().machine], NEW_USER | 17, 0, 0, 0, 0),
    "mount_setattr": called("syscall", 442, -100, b"/proc", 0, bytes(32), 32),
    "open_tree": called("syscall", 428, -100, b"/", 1),
    "fsopen": called("syscall", 430, b"proc", 0),
    "setns": lambda: called("setns", os.open("/proc/1/ns/mnt", os.O_RDONLY), 0)(),
    "chroot": lambda: os.chroot("/"),
    "pivot_root": called("syscall", {"x86_64": 155, "aarch64": 41}[os.uname().machine], b".", b"."),
    "ptrace parent": lambda: called("ptrace", 16, os.getppid(), None, None)(),
    "ptrace first": called("ptrace", 16, 1, None, None),
    "setuid": lambda: os.setuid(0),
    "setgid": lambda: os.setgid(0),
    "setgroups": lambda: os.setgroups([0]),
    "mknod character": device(0o020000),
    "mknod block": device(0o060000),
    "raise limit": lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)),
}


def succeeded(attempt: Callable[[], Any]) -> bool:
    """Say whether an attempt was let through."""
    try:
        attempt()
    except OSError:
        return False
    except ValueError:
        return False  # a limit above the hard one
    return True


def status() -> dict[str, str]:
    """Return what the kernel says of it."""
    with Path("/proc/self/status").open() as file:
        return {key: value.strip() for key, _, value in (line.partition(":") for line in file)}


def main() -> None:
    """Try everything, and print it."""
    paths = json.loads(Path("paths").read_text())
    own = own_files()
    links = [place + setting for place in BEHIND_LINKS for setting in SETTINGS]
    found = {
        "tried": len(paths) + len(own),
        "writable": writable(paths + own + links),
        "escapes": [name for name, attempt in ATTEMPTS.items() if succeeded(attempt)],
        "users": [*os.getresuid(), *os.getresgid(), *os.getgroups()],
        "status": status(),
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    sys.exit(main())
