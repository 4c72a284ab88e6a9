"""A server that welcomes a bot and then freezes, as a process of its own: ``python -m support.frozen_server``."""

import os
import signal
import sys
from collections.abc import Iterator

from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage

from ordago import v1


def freeze(stage: Stage) -> Iterator[bytes]:
    """Welcome the bot; when it has answered a decision, so that all this has arrived, stop everything."""
    stage.hello()
    start = v1.MatchStart(match_handle=1, match_id="m", game="mittlere", seed=b"s" * 16)
    decision = v1.Decision(match_handle=1, number=1, actions=[v1.LegalAction(id=1)])
    yield from_server(v1.Welcome(session_id="s"), start, decision)
    stage.choice()
    os.kill(os.getpid(), signal.SIGSTOP)
    stage.hear()  # Not every thread stops at once, and the stream must not end.


if __name__ == "__main__":
    with ScriptedServer() as server:
        server.stage(freeze)
        print(server.address, flush=True)  # noqa: T201 - this is how whoever started it learns where it is
        sys.stdin.read()
