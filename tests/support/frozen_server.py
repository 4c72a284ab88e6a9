"""A server that welcomes a bot and then freezes, as a process of its own: ``python -m support.frozen_server``."""

import os
import signal
import sys
from collections.abc import Iterator

from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage

from ordago import v1


def freeze(stage: Stage) -> Iterator[bytes]:
    """Welcome the bot; when that is on its way, stop everything, the connection included."""
    stage.hello()
    yield from_server(v1.Welcome(session_id="s"))
    os.kill(os.getpid(), signal.SIGSTOP)
    stage.hear()  # Not every thread stops at once, and the stream must not end.


if __name__ == "__main__":
    with ScriptedServer() as server:
        server.stage(freeze)
        print(server.address, flush=True)  # noqa: T201 - this is how whoever started it learns where it is
        sys.stdin.read()
