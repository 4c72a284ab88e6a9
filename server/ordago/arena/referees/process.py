"""A process of referees: plays the matches that the server at the other end of a socket gives it.

It is started by ``crew.py``, with the number of the socket, and of the processors that it may use. It ends when the
server does, whatever ends that: then nothing comes over the socket any more.
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
    """Work for the server at the other end of a socket until that is gone.

    Each frame is replied to, if need be by an empty one: so the server knows that somebody is at work.
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
    """Run on no other processors than these, if there are any."""
    allowed = set(processors)
    if allowed:
        os.sched_setaffinity(0, allowed)


if __name__ == "__main__":
    # Ctrl-C reaches all processes of a terminal, and so does its end, and whoever stops a service tells all of its
    # processes: but the matches go on until the server says that they are over.
    for _signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(_signal, signal.SIG_IGN)
    keep_to(map(int, filter(None, sys.argv[2].split(","))))
    collect_seldom()
    with suppress(BrokenPipeError, ConnectionResetError), socket.socket(fileno=int(sys.argv[1])) as _server:
        work(_server)
