"""Server of a match or event, for bots started on this machine and for guests that connect from elsewhere."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, NamedTuple, Protocol

import trio

from ordago import v1
from ordago.arena.admission.authenticator import Authenticator, LaunchTokens
from ordago.arena.admission.limits import ConnectionBounds
from ordago.arena.event_router import EventEntry, EventRouter
from ordago.arena.processes.supervisor import Host
from ordago.arena.server import Server
from ordago.arena.stall_detector import stall_detector
from ordago.edge.server import Edge
from ordago.edge.sockets import UNIX
from ordago.edge.tls import Tls
from ordago.edge.transports import MOST_CONNECTIONS
from ordago.telemetry.telemetry import Telemetry

_HOST: Final = "127.0.0.1"
_SOCKET: Final = "s"
_LONGEST_SOCKET_PATH_BYTES: Final = 103
"""The longest path of a Unix socket on BSD and macOS, which have the lowest limit; on Linux it is 107."""


class Way(Protocol):
    """The entrance for guests: a port of their own, or the port of a server that is open already."""

    def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        on_loop_of: Edge,
    ) -> AbstractAsyncContextManager[str]:
        """Accept guests within the context, and yield the address for them to connect to.

        Args:
            authenticator: decides which guests may connect.
            games: the short names of the games.
            event: the description of the event.
            telemetry: receives what happens.
            on_loop_of: an open server of this process, to be closed after this one.

        Raises:
            EdgeError: the address cannot be listened on.
        """


class Guests(NamedTuple):
    """Bots that connect from elsewhere, besides those started here."""

    authenticator: Authenticator
    """The authenticator of guests. It is independent of the launch tokens of bots started here."""
    way: Way
    """Their entrance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPort:
    """A port for guests alone. It is a ``Way``."""

    address: str
    """The address to listen on, ``HOST:PORT``, with port 0 for any free one."""
    watch: Callable[[Callable[[], None]], Awaitable[None]]
    """A task that keeps the authenticator up to date until cancelled, and calls its argument after each change."""
    bounds: ConnectionBounds
    """The limits on connections of bots."""
    connections: int = MOST_CONNECTIONS
    """The most connections, with and without bots."""
    tls: Tls | None = None
    """The certificates of the server; ``None`` for unencrypted connections."""
    reflection: bool = False
    """Offer gRPC server reflection."""

    @asynccontextmanager
    async def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        on_loop_of: Edge,
    ) -> AsyncIterator[str]:
        """Listen on the port. See ``Way``."""
        server = Server(authenticator, games=games, bounds=self.bounds, telemetry=telemetry)
        telemetry.counters.sessions.most_connected = self.bounds.max_connections
        # A guest enters the same event, named or not.
        router = EventRouter(server, lambda: event)
        opened = Edge.open(
            self.address,
            router,
            tls=self.tls,
            event=router.described,
            reflection=self.reflection,
            on_loop_of=on_loop_of,
            connections=self.connections,
        )
        async with opened as edge, trio.open_nursery() as nursery:
            nursery.start_soon(self.watch, server.review)
            with router.opened(event.event, EventEntry(server, event)):
                yield f"{self.address.rpartition(':')[0]}:{edge.port}"
            nursery.cancel_scope.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByName:
    """The port of a server that is open already, for guests that name the event. It is a ``Way``."""

    address: str
    """The address of the server."""
    router: EventRouter
    """The router of its connections."""
    bounds: ConnectionBounds
    """The limits on connections to the event."""

    @asynccontextmanager
    async def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        on_loop_of: Edge,  # noqa: ARG002 - nothing new is listened on
    ) -> AsyncIterator[str]:
        """Accept guests that name the event. See ``Way``."""
        bounds, clock = self.bounds, self.router.clock
        server = Server(authenticator, games=games, bounds=bounds, telemetry=telemetry, clock=clock)
        with self.router.opened(event.event, EventEntry(server, event)):
            yield self.address


@asynccontextmanager
async def open_host(
    games: Collection[str],
    *,
    event: v1.DescribeEventResponse | None = None,
    telemetry: Telemetry | None = None,
    unix_socket: bool = False,
    guests: Guests | None = None,
    on_loop_of: Edge | None = None,
) -> AsyncIterator[Host]:
    """Open a server for bots started here only, and end these bots with the context.

    Guests get a second server with sessions of its own, so that a token for one of the two is worth nothing at the
    other.

    Args:
        games: the short names of the games.
        event: the description of the event; ``None`` without one.
        telemetry: receives what happens; ``None`` for none.
        unix_socket: listen on a private Unix socket in place of a port of this machine. Bots without network reach it
            too; bots whose gRPC library does not support such sockets do not.
        guests: the guests to accept; ``None`` for none.
        on_loop_of: an open server of this process, to be closed after this one; it also detects stalls for both.

    Raises:
        EdgeError: the address cannot be listened on.
        EdgeFailedError: the server failed.
    """
    tokens = LaunchTokens()
    server = Server(tokens, games=games, telemetry=telemetry)
    detector = nullcontext() if on_loop_of else stall_detector(server.telemetry, server.clock)
    described = event or v1.DescribeEventResponse()
    with _address(unix_socket=unix_socket) as address:
        opened = Edge.open(address, server, own_bots_only=True, event=lambda _: described, on_loop_of=on_loop_of)
        async with opened as edge, detector, trio.open_nursery() as nursery:
            host = Host(tokens, address if unix_socket else f"{_HOST}:{edge.port}", nursery)
            if guests is None:
                yield host
                return
            came_in = guests.way.open(
                guests.authenticator, games=games, event=described, telemetry=server.telemetry, on_loop_of=edge
            )
            async with came_in as guests_at:
                yield host._replace(guests_at=guests_at)


@contextmanager
def _address(*, unix_socket: bool) -> Iterator[str]:
    if not unix_socket:
        yield f"{_HOST}:0"
        return
    with TemporaryDirectory(prefix="ordago-", dir=_short_folder(), ignore_cleanup_errors=True) as folder:
        yield f"{UNIX}{folder}/{_SOCKET}"


def _short_folder() -> str:
    """Return the folder for temporary files, or ``/tmp`` if the path of a socket in it would be too long."""
    room = _LONGEST_SOCKET_PATH_BYTES - len(f"/ordago-xxxxxxxx/{_SOCKET}")
    return gettempdir() if len(os.fsencode(gettempdir())) <= room else "/tmp"  # noqa: S108 - a fresh folder in it
