"""A referee process: plays the matches that the server sends through a socket.

``pool.py`` starts it with the descriptor of the socket and the processors that it may use. It ends when the server
does, however that ends, since the socket is closed then.
"""

import os
import select
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from ordago.arena.processes.collector import collect_seldom
from ordago.arena.referees.steps import Frames, framed
from ordago.arena.referees.worker import RefereeWorker

_MOST_READ: Final = 1 << 20


def work(server: socket.socket) -> None:
    """Work for the server at the other end of a socket until that is closed.

    Each frame gets a reply, if need be an empty one, so that the server sees that the process does not hang.
    """
    worker, frames = RefereeWorker(), Frames()
    while True:
        while worker.rests and not _has_come(server):
            worker.go_on_with_one()
            if worker.said:
                _say(server, worker)
        piece = server.recv(_MOST_READ)
        if not piece:
            return
        for calls in frames.taken(piece):
            worker.hear(calls)
            _say(server, worker)


def _has_come(server: socket.socket) -> bool:
    return bool(select.select([server], [], [], 0)[0])


def _say(server: socket.socket, worker: RefereeWorker) -> None:
    said, worker.said = worker.said, []
    server.sendall(framed(said))


def keep_to(processors: Iterable[int]) -> None:
    """Run on these processors only; without any, on all."""
    allowed = set(processors)
    if allowed:
        os.sched_setaffinity(0, allowed)


if __name__ == "__main__":
    # Ctrl-C and a hangup reach all processes of a terminal, and a service manager signals all processes of a service.
    # But the matches go on until the server ends them.
    for _signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(_signal, signal.SIG_IGN)
    keep_to(map(int, filter(None, sys.argv[2].split(","))))
    collect_seldom()
    with suppress(BrokenPipeError, ConnectionResetError), socket.socket(fileno=int(sys.argv[1])) as _server:
        work(_server)
