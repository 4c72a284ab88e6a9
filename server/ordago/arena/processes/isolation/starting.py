"""The start of a program in a sandbox."""

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

# Imported as a module, so that Python uses its cached bytecode instead of compiling it at each start.
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
    """Start a command in a sandbox. Its end, or that of this process, ends all its descendants.

    Call it in the main thread: the kernel sends the parent-death signal when the calling thread ends.

    Args:
        sandbox: the sandbox.
        command: the program and its arguments.
        environment: its environment, to which the sandbox adds its own variables.
        stdin: its standard input, as for ``subprocess``.
        output: its standard output and error, as for ``subprocess``.
        descriptors: descriptors that it inherits, under the same numbers.
        status: the descriptor that ``STANDS`` is written to; ``None`` to drop that.
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
            # A session of its own, so that Ctrl-C reaches only the runner, which ends its bots in an orderly way.
            start_new_session=True,
        )


def _plan(sandbox: Sandbox, command: Sequence[str], status: int) -> IO[bytes]:
    """Return an unnamed file with the plan for the start program. The caller closes it."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    facts = {"parent": os.getpid(), "processors": _PROCESSORS, "command": tuple(command), "status": status}
    marshal.dump({**sandbox.plan(), **facts}, file)
    file.seek(0)
    return file
