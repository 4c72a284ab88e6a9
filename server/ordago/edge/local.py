"""A server for bots that are started on this machine, for one match or for an event, and for guests from elsewhere."""

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
from ordago.telemetry.telemetry import Telemetry

_HOST: Final = "127.0.0.1"
_SOCKET: Final = "s"
_LONGEST_SOCKET_PATH_BYTES: Final = 103
"""So much holds the shortest of all addresses of Unix sockets, that of BSD and macOS; in Linux it is 107."""


class Way(Protocol):
    """A way in for guests: a port of their own, or that of a server that is open already."""

    def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        beside: Edge,
    ) -> AbstractAsyncContextManager[str]:
        """Let guests come in, as long as the context is open, and give the address that they connect to.

        Args:
            authenticator: who of them may come in.
            games: the games that they play, by their short names.
            event: what is told of the event that is played.
            telemetry: where it is told what happens.
            beside: an open server of this process; what is opened is closed before it.

        Raises:
            EdgeError: nothing can be listened on.
        """


class Guests(NamedTuple):
    """Those who come in from elsewhere, beside the bots that are started here."""

    authenticator: Authenticator
    """Who of them may come in. It knows nothing of those who are started here, who know nothing of it."""
    way: Way
    """How they come in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPort:
    """A port that is for guests alone. It is a ``Way``."""

    address: str
    """Where they connect to, ``HOST:PORT``, with port 0 for any that is free."""
    watch: Callable[[Callable[[], None]], Awaitable[None]]
    """Keeps the authenticator up to date, until cancelled, and calls what it is given when it may have changed."""
    bounds: ConnectionBounds
    """How many may come."""
    tls: Tls | None = None
    """What the server proves with who it is; ``None`` where everything goes in the open."""
    reflection: bool = False
    """Whether clients may ask which services and messages there are."""

    @asynccontextmanager
    async def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        beside: Edge,
    ) -> AsyncIterator[str]:
        """Listen on the port. See ``Way``."""
        server = Server(authenticator, games=games, bounds=self.bounds, telemetry=telemetry)
        # Whoever names the event comes in for the same as who names none.
        router = EventRouter(server, lambda: event)
        opened = Edge.open(
            self.address, router, tls=self.tls, event=router.described, reflection=self.reflection, beside=beside
        )
        async with opened as edge, trio.open_nursery() as nursery:
            nursery.start_soon(self.watch, server.review)
            with router.opened(event.event, EventEntry(server, event)):
                yield f"{self.address.rpartition(':')[0]}:{edge.port}"
            nursery.cancel_scope.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class ByName:
    """The port of a server that is open already, for guests who name the event. It is a ``Way``."""

    address: str
    """Where the server is."""
    router: EventRouter
    """Hands its connections on."""
    bounds: ConnectionBounds
    """How many may come for the event."""

    @asynccontextmanager
    async def open(
        self,
        authenticator: Authenticator,
        *,
        games: Collection[str],
        event: v1.DescribeEventResponse,
        telemetry: Telemetry,
        beside: Edge,  # noqa: ARG002 - nothing new is listened on
    ) -> AsyncIterator[str]:
        """Let those in who name the event. See ``Way``."""
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
        beside: an open server of this process, if there is one; it is closed only afterwards, and sees to it that
            it is told of what holds up matches.

    Raises:
        EdgeError: nothing can be listened on.
        EdgeFailedError: the server failed.
    """
    tokens = LaunchTokens()
    server = Server(tokens, games=games, telemetry=telemetry)
    detector = nullcontext() if beside else stall_detector(server.telemetry, server.clock)
    told = event or v1.DescribeEventResponse()
    with _address(unix_socket=unix_socket) as address:
        opened = Edge.open(address, server, own_bots_only=True, event=lambda _: told, beside=beside)
        async with opened as edge, detector, trio.open_nursery() as nursery:
            host = Host(tokens, address if unix_socket else f"{_HOST}:{edge.port}", nursery)
            if guests is None:
                yield host
                return
            came_in = guests.way.open(
                guests.authenticator, games=games, event=told, telemetry=server.telemetry, beside=edge
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
    """Return the folder for temporary files, or another one where the path of a socket would become too long."""
    room = _LONGEST_SOCKET_PATH_BYTES - len(f"/ordago-xxxxxxxx/{_SOCKET}")
    return gettempdir() if len(os.fsencode(gettempdir())) <= room else "/tmp"  # noqa: S108 - a fresh folder in it
