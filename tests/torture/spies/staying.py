"""Processes that want to outlive the event. What stands in the environment of all bots tells whose they are."""

import subprocess
import sys
from collections.abc import Iterator

_PYTHON = (sys.executable, "-I", "-S", "-c")
_SLEEP = "import time; time.sleep(300)"
_IGNORE = f"import signal\nfor n in {{*range(1, 32)}} - {{9, 19}}:\n    signal.signal(n, signal.SIG_IGN)\n{_SLEEP}"
# A grandchild that nobody waits for, in a session of its own, as services do.
_DAEMON = f"import os\nos.fork() and os._exit(0)\nos.setsid()\nos.fork() and os._exit(0)\n{_SLEEP}"
_begun: list[subprocess.Popen[bytes]] = []


def stayers() -> Iterator[str]:
    """Leave children behind: one in the same group, one that ignores all signals, one that has no parent any more."""
    if not _begun:
        for program, own_session in ((_SLEEP, False), (_IGNORE, True), (_DAEMON, True)):
            command = (*_PYTHON, program)
            _begun.append(subprocess.Popen(command, start_new_session=own_session))  # noqa: S603 - our own
    yield from ()
