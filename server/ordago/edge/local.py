"""A server for bots that are started on this machine, for one match or for an event, and for guests from elsewhere."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Authenticator, LaunchTokens
from ordago.arena.admission.limits import Bounds
from ordago.arena.processes.supervisor import Host
from ordago.arena.server import Server
from ordago.arena.stall_detector import stall_detector
from ordago.edge.server import Edge
from ordago.edge.sockets import UNIX
from ordago.edge.tls import Tls
from ordago.telemetry.telemetry import Telemetry

_HOST: Final = "127.0.0.1"
_SOCKET: Final = "s"
_STOPPED: Final = "it has stopped here for now; come back with a resume"
_LONGEST_SOCKET_PATH_BYTES: Final = 103
"""So much holds the shortest of all addresses of Unix sockets, that of BSD and macOS; in Linux it is 107."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guests:
    """Those who come in from elsewhere, beside the bots that are started here."""

    address: str
    """Where they connect to, ``HOST:PORT``, with port 0 for any that is free."""
    authenticator: Authenticator
    """Who of them may come in. It knows nothing of those who are started here, who know nothing of it."""
    watch: Callable[[Callable[[], None]], Awaitable[None]]
    """Keeps the authenticator up to date, until cancelled, and calls what it is given when it may have changed."""
    bounds: Bounds
    """How many may come."""
    tls: Tls | None = None
    """What the server proves with who it is; ``None`` where everything goes in the open."""
    reflection: bool = False
    """Whether clients may ask which services and messages there are."""


@asynccontextmanager
async def open_host(
    games: Iterable[str],
    *,
    event: v1.DescribeEventResponse | None = None,
    telemetry: Telemetry | None = None,
    unix_socket: bool = False,
    guests: Guests | None = None,
    beside: Edge | None = None,
) -> AsyncIterator[Host]:
    """Open a server that only bots come in to that are started here, and end with it what is started.

    Where there are guests, a second server is opened for them, with sessions of its own: what lets somebody in at the
    one is worth nothing at the other.

    Args:
        games: the games that they play, by their short names.
        event: what is told of the event that is played; ``None`` where none is.
        telemetry: where it is told what happens; nowhere if ``None``.
        unix_socket: whether it listens on a Unix socket that nobody else can reach, in place of a port of this machine:
            bots that have no network reach it too, and those whose library of gRPC knows no such sockets do not.
        guests: who comes in from elsewhere; ``None`` for nobody.
        beside: an open server of this process, if there is one; it is closed only afterwards.

    Raises:
        EdgeError: nothing can be listened on.
        EdgeFailedError: the server failed.
    """
    tokens = LaunchTokens()
    server = Server(tokens, games=games, telemetry=telemetry)
    detector = stall_detector(server.telemetry, server.clock)
    described = partial(_same, event or v1.DescribeEventResponse())
    with _address(unix_socket=unix_socket) as address:
        opened = Edge.open(address, server, own_bots_only=True, event=described, beside=beside)
        async with opened as edge, detector, trio.open_nursery() as nursery:
            host = Host(tokens, address if unix_socket else f"{_HOST}:{edge.port}", nursery)
            if guests is None:
                yield host
                return
            async with _open_for(guests, games, event=described, telemetry=server.telemetry, beside=edge) as guests_at:
                yield host._replace(guests_at=guests_at)


@asynccontextmanager
async def _open_for(
    guests: Guests,
    games: Iterable[str],
    *,
    event: Callable[[], v1.DescribeEventResponse],
    telemetry: Telemetry,
    beside: Edge,
) -> AsyncIterator[str]:
    """Open the server for guests, and give the address that it listens on."""
    server = Server(guests.authenticator, games=games, bounds=guests.bounds, telemetry=telemetry)
    opened = Edge.open(guests.address, server, tls=guests.tls, event=event, reflection=guests.reflection, beside=beside)
    async with opened as edge, trio.open_nursery() as nursery:
        nursery.start_soon(guests.watch, server.review)
        try:
            yield f"{guests.address.rpartition(':')[0]}:{edge.port}"
        finally:
            # Whoever has not been told that all is over comes back when it goes on.
            server.sessions.suspend(_STOPPED)
        nursery.cancel_scope.cancel()


def _same(event: v1.DescribeEventResponse) -> v1.DescribeEventResponse:
    return event


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
