"""Starting a program in a cell."""

import marshal
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from ordago.arena.processes import die_with_parent
from ordago.arena.processes.isolation.confinement import Sandbox
from ordago.arena.processes.processor import ALLOWED

# As a module it is compiled once and for all, and not at each start.
_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); import die_with_parent; die_with_parent.main(int(sys.argv[2]))"
)
_FOLDER: Final = str(Path(die_with_parent.__file__).parent)
_PROCESSORS: Final = tuple(sorted(ALLOWED))


def started(
    sandbox: Sandbox,
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    stdin: int,
    output: int,
    descriptors: Sequence[int] = (),
    status: int | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a command in a cell, where its own end, or that of this process, ends all that it started.

    It has to be started in the main thread: the kernel takes the end of the thread for that of the process.

    Args:
        sandbox: where it runs.
        command: the program and its arguments.
        environment: its environment, beside what the cell asks for.
        stdin: what it reads, as ``subprocess`` takes it.
        output: what it prints to, as ``subprocess`` takes it.
        descriptors: those that it inherits under the same numbers.
        status: where ``STANDS`` is written as soon as the command itself is to blame for what happens.
    """
    if status is None:
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - its number is wanted
            return started(
                sandbox,
                command,
                environment=environment,
                stdin=stdin,
                output=output,
                descriptors=descriptors,
                status=nowhere.fileno(),
            )
    with _plan(sandbox, command, status) as plan:
        return subprocess.Popen(  # noqa: S603 - the organiser's own command
            [sys.executable, "-I", "-S", "-c", _START, _FOLDER, str(plan.fileno())],
            stdin=stdin,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**environment, **sandbox.environment},
            pass_fds=(*descriptors, *sandbox.descriptors, plan.fileno(), status),
            # A Ctrl-C in the terminal is for the runner, which ends its bots in order.
            start_new_session=True,
        )


def _plan(sandbox: Sandbox, command: Sequence[str], status: int) -> IO[bytes]:
    """Return a file that has no name, with all that the start program has to know."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever calls closes it
    told = {"parent": os.getpid(), "processors": _PROCESSORS, "command": tuple(command), "status": status}
    marshal.dump({**sandbox.plan(), **told}, file)
    file.seek(0)
    return file
