"""Lets ``breakout.py`` run in a cell, and prints what came of it: ``python -m support.breaking_out WAY RUNNER FOLDER``.

``RUNNER`` is ``any`` for whoever starts this, ``other`` for a user who is not root, and for a root who cannot step down
``root``, or ``root-by-name`` where its bots see themselves as root.
"""

import json
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from support import breakout
from support.cells import PYTHON, cell_by, isolation_by, said, user_here, why_not

from ordago.arena.processes.isolation.bot_user import bot_user
from ordago.arena.processes.isolation.bubblewrap import Bubblewrap
from ordago.arena.processes.isolation.confinement import Confinement, Sandbox
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.unprivileged import enter_view, step_down

DEVICES_FOR_ALL = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts/ptmx")}
"""Under bubblewrap the last three lead to terminals of the cell's own."""


def kernel_files() -> Iterator[str]:
    """Yield all files of the kernel that do not belong to a process, and all devices."""
    for top in ("/proc", "/sys", "/dev"):
        for above, folders, files in os.walk(top):
            if above == "/proc":
                folders[:] = [name for name in folders if not name.isdigit()]
            for name in files:
                path = f"{above}/{name}"
                if is_file_of_kernel(path):
                    yield path


def is_file_of_kernel(path: str) -> bool:
    """Say whether something is a file or a device, and neither a link nor what several may have."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    is_regular = stat.S_ISREG(mode) and not path.startswith("/dev")
    return (is_regular or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and path not in DEVICES_FOR_ALL


def become_another() -> None:
    """Make this process one of a user who is not root."""
    with bot_user() as user:
        if user is None:
            sys.exit("skip: root cannot step down here")
        # Python may lie in a folder of root's.
        enter_view(user.namespace, ("/",))
        step_down(user.number)


def main(way: str, runner: str, place: str) -> None:
    """Run it."""
    if runner == "other":
        become_another()
    folder = Path(place)
    (folder / "paths").write_text(json.dumps(list(kernel_files())))
    sandbox = cell_of(way, folder, runner)
    sys.stdout.write(said(sandbox, (*PYTHON, "-c", Path(breakout.__file__).read_text())))


def cell_of(way: str, folder: Path, runner: str) -> Sandbox:
    """Return a cell whose life is that of another user where the runner is root, or not though it is."""
    reason = why_not(way)
    if reason:
        sys.exit(f"skip: {reason}")
    if runner in ("any", "other"):
        if os.geteuid() == 0 and user_here() is None:
            sys.exit("skip: root cannot step down here")
        return cell_by(way, folder)
    scratches = folder.parent / "scratches"
    scratches.mkdir(exist_ok=True)
    confinement = Confinement(folder=folder, readable=readable_for(PYTHON, folder))
    isolation = isolation_by(way, scratches, user=None)
    if runner == "root-by-name" and isinstance(isolation, Bubblewrap):
        isolation = replace(isolation, is_root_by_name=True)
    return isolation.sandbox(confinement)


if __name__ == "__main__":
    main(*sys.argv[1:])
