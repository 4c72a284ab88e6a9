"""Small steps that all spies take: each says whether it was let."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

MARK = os.environ["SPY_MARK"]
EVENT = Path(os.environ["SPY_EVENT"])


def let(call: Callable[[], object]) -> bool:
    """Say whether something can be done."""
    try:
        call()
    except OSError:
        return False
    return True


def readable(path: Path) -> bool:
    """Say whether a file can be read, and something is in it."""
    try:
        with path.open("rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def contents(path: Path) -> bytes:
    """Return what is in a file; nothing if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def listed(path: Path) -> list[Path]:
    """Return what lies in a folder; nothing if it cannot be looked into."""
    try:
        return list(path.iterdir())
    except OSError:
        return []


def others() -> Iterator[Path]:
    """Yield the folders in /proc of the processes of this event that are not of this one's session, nor its wrapper.

    No other process of the machine is touched, whatever a spy is let.
    """
    own = {os.getppid(), 1}
    for folder in listed(Path("/proc")):
        number = int(folder.name) if folder.name.isdecimal() else 1
        if number not in own and _is_foreign(number) and MARK.encode() in contents(folder / "environ"):
            yield folder


def _is_foreign(number: int) -> bool:
    try:
        return os.getsid(number) != os.getsid(0)
    except OSError:
        return False
