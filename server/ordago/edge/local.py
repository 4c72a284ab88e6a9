"""A server for bots that are started on this machine: for one match, or for an event."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import trio

from ordago import v1
from ordago.arena.admission.authenticator import LaunchTokens
from ordago.arena.processes.supervisor import Host
from ordago.arena.server import Server
from ordago.arena.stall_detector import stall_detector
from ordago.edge.server import Edge
from ordago.edge.sockets import UNIX
from ordago.telemetry.telemetry import Telemetry

_HOST: Final = "127.0.0.1"
_SOCKET: Final = "s"
_LONGEST_SOCKET_PATH_BYTES: Final = 103
"""So much holds the shortest of all addresses of Unix sockets, that of BSD and macOS; in Linux it is 107."""


@asynccontextmanager
async def open_host(
    games: Iterable[str],
    *,
    event: v1.DescribeEventResponse | None = None,
    telemetry: Telemetry | None = None,
    unix_socket: bool = False,
) -> AsyncIterator[Host]:
    """Open a server that only bots come in to that are started here, and end with it what is started.

    Args:
        games: the games that they play, by their short names.
        event: what is told of the event that is played; ``None`` where none is.
        telemetry: where it is told what happens; nowhere if ``None``.
        unix_socket: whether it listens on a Unix socket that nobody else can reach, in place of a port of this machine:
            bots that have no network reach it too, and those whose library of gRPC knows no such sockets do not.

    Raises:
        EdgeError: nothing can be listened on.
        EdgeFailedError: the server failed.
    """
    tokens = LaunchTokens()
    server = Server(tokens, games=games, telemetry=telemetry)
    detector = stall_detector(server.telemetry, server.clock)
    with _address(unix_socket=unix_socket) as address:
        opened = Edge.open(address, server, own_bots_only=True, event=event)
        async with opened as edge, detector, trio.open_nursery() as nursery:
            yield Host(tokens, address if unix_socket else f"{_HOST}:{edge.port}", nursery)


@contextmanager
def _address(*, unix_socket: bool) -> Iterator[str]:
    if not unix_socket:
        yield f"{_HOST}:0"
        return
    with TemporaryDirectory(prefix="ordago-", dir=_short_folder(), ignore_cleanup_errors=True) as folder:
        yield f"{UNIX}{folder}/{_SOCKET}"


def _short_folder() -> str:
    """Return the folder for temporary files, or another one where the path of a socket would become too long."""
    room = _LONGEST_SOCKET_PATH_BYTES - len(f"/ordago-xxxxxxxx/{_SOCKET}")
    return gettempdir() if len(os.fsencode(gettempdir())) <= room else "/tmp"  # noqa: S108 - a fresh folder in it
