"""Starts a command that dies with its parent: ``python die_with_parent.py PARENT PROCESSORS COMMAND …``.

The runner does not start bots itself but this small program, which asks the kernel for the parent-death signal, makes
sure that the parent is still there, spreads over the processors again where the runner keeps to one, and becomes the
command. Doing the same between fork and exec in the runner would run Python code in a copy of a process with threads.
Where the kernel has no such signal, the end of the standard input is what tells a bot that it is alone.

It imports nothing of Ordago, so that it starts quickly.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_EXIT_CANNOT_START = 127


def main() -> None:
    """Become the command of the command line."""
    parent, processors, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(_EXIT_CANNOT_START)
    if processors:
        os.sched_setaffinity(0, map(int, processors.split(",")))
    try:
        os.execvp(command[0], command)  # noqa: S606 - the organiser's own command
    except OSError as error:
        print(f"cannot start {command[0]!r}: {error.strerror}", file=sys.stderr)  # noqa: T201 - goes to the bot's log
        sys.exit(_EXIT_CANNOT_START)


if __name__ == "__main__":
    main()
