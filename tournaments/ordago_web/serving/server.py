"""The web server: hypercorn's connections under trio, with limits against slow clients.

They speak HTTP/1.1 alone. Hypercorn rebuilds its priority tree for each frame of HTTP/2 that names a priority, so a
connection that sends 150 KiB of these blocks all others for more than a minute.

Hypercorn itself would end with all connections if one of them fails in an unexpected way, which strangers can bring
about. So this module accepts the connections, and a failure ends its own connection only.
"""

import logging
import resource
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeAlias, cast

import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState
from starlette.types import ASGIApp

from ordago.edge.tls import CertificateFiles, Tls
from ordago_web.access.bounds import origin_of_host
from ordago_web.serving.http import StrictConnection
from ordago_web.serving.listener import Place

_OF_ONE: Final = 128
"""A browser opens six at most, and many people may share an address."""
_IN_ALL: Final = 4096
"""Each takes some 50 KiB."""
_OTHER_FILES: Final = 128
"""The number of files left for everything else that a site opens."""


class Connections:
    """Counts connections. For use in trio's thread only."""

    def __init__(self, *, of_one: int = _OF_ONE, in_all: int = _IN_ALL) -> None:
        """Begin without connections.

        Args:
            of_one: the limit of one address.
            in_all: the limit of all, lowered if the process may open fewer files.
        """
        self._of_one = of_one
        self._in_all = min(in_all, most_files() - _OTHER_FILES)
        self._open = Counter[str]()

    @classmethod
    def of_proxy(cls) -> Self:
        """Allow all connections from one address, that of the proxy in front of a site."""
        return cls(of_one=_IN_ALL)

    @contextmanager
    def counted(self, origin: str) -> Iterator[bool]:
        """Count a connection if the limits allow it; yield True if they do.

        Args:
            origin: the address that it comes from.
        """
        is_welcome = self._open[origin] < self._of_one and self._open.total() < self._in_all
        self._open[origin] += is_welcome
        try:
            yield is_welcome
        finally:
            self._open[origin] -= is_welcome
            if not self._open[origin]:
                del self._open[origin]


def most_files() -> int:
    """Raise the limit of open files to the maximum, and return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard


_GRACE_SECONDS: Final = 3.0
"""The time for running responses at the end."""
_IDLE_SECONDS: Final = 10.0
"""The time that a connection may stay silent, or take for the head of a request."""
_LOOK_SECONDS: Final = 10.0
"""The interval between checks for a renewed certificate, which usually comes weeks before the old one expires."""
_Stream: TypeAlias = trio.SocketStream | trio.SSLStream[trio.SocketStream]
_LOG: Final = logging.getLogger("ordago.web")


class _Config(Config):
    """The settings of hypercorn's connections."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.certfile = None if place.certificate is None else str(place.certificate)
        self.keyfile = None if place.key is None else str(place.key)
        self.accesslog = None
        self.errorlog = _LOG
        self.loglevel = "WARNING"
        self.include_server_header = False
        self.graceful_timeout = _GRACE_SECONDS
        self.shutdown_timeout = _GRACE_SECONDS
        self.ssl_handshake_timeout = _IDLE_SECONDS
        self.keep_alive_timeout = _IDLE_SECONDS
        self.alpn_protocols = ["http/1.1"]


class _Connection(TCPServer):
    """A connection of hypercorn that also ends when the browser closes it, not only after idle time."""

    async def _read_data(self) -> None:
        # Nothing has been read yet, so the parser can still be replaced.
        spoken = self.protocol.protocol
        assert isinstance(spoken, H11Protocol)
        spoken.connection = StrictConnection()
        await super()._read_data()
        await self.idle_task.stop()


async def serve_site(
    application: ASGIApp,
    listener: socket.socket,
    place: Place,
    *,
    until: Callable[[], Awaitable[None]],
    bound: Connections | None = None,
) -> None:
    """Serve a site. At the end, running responses have some seconds.

    Args:
        application: the ASGI application.
        listener: the listening socket.
        place: the address and certificate.
        until: the site is served until this returns.
        bound: the limits of connections.
    """
    config, context = _Config(place), WorkerContext(None)
    accepting_at = _Accepting(listener, config)
    served = partial(_Connection, ASGIWrapper(cast(ASGIFramework, application)), config, context, ConnectionState({}))
    connected = partial(_connected, served, bound or Connections())
    async with trio.open_nursery() as connections:
        async with trio.open_nursery() as accepting:
            accepting.start_soon(partial(trio.serve_listeners, handler_nursery=connections), connected, [accepting_at])
            accepting.start_soon(accepting_at.take_up_renewed)
            await until()
            accepting.cancel_scope.cancel()
        await context.terminated.set()
        connections.cancel_scope.deadline = trio.current_time() + _GRACE_SECONDS


class _Accepting(trio.abc.Listener[_Stream]):
    """A listener that uses the certificate in the files, also after a renewal."""

    def __init__(self, listener: socket.socket, config: Config) -> None:
        self._plain = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
        self._config = config
        # Before the certificate is loaded: a change in between then counts as a renewal.
        self._files = _files_of(config)
        self._tls = config.create_ssl_context()

    async def accept(self) -> _Stream:
        """Accept a connection. Its TLS handshake comes later."""
        stream = await self._plain.accept()
        if self._tls is None:
            return stream
        return trio.SSLStream(stream, self._tls, server_side=True, https_compatible=True)

    async def aclose(self) -> None:
        """Close the listener."""
        await self._plain.aclose()

    async def take_up_renewed(self) -> None:
        """Load a certificate whenever the files change. Open connections keep the old one."""
        while self._files is not None:
            if self._files.look():
                try:
                    self._tls = self._config.create_ssl_context()
                except OSError as error:
                    _LOG.warning("the previous certificate stays in use", extra={"error": str(error)})
            await trio.sleep(_LOOK_SECONDS)


def _files_of(config: Config) -> CertificateFiles | None:
    if config.certfile is None or config.keyfile is None:
        return None
    return CertificateFiles(Tls(Path(config.certfile), Path(config.keyfile)))


async def _connected(served: Callable[[_Stream], Awaitable[None]], bound: Connections, stream: _Stream) -> None:
    """Serve a connection if the limits allow it. No exception escapes from it."""
    try:
        with bound.counted(_origin(stream)) as is_welcome:
            if is_welcome:
                await served(stream)
    except* Exception as errors:  # noqa: BLE001 - strangers say what is sent
        # Strangers can cause any number of these, so the usual log leaves them out.
        _LOG.debug("a connection was aborted: %r", errors.exceptions[0])


def _origin(stream: _Stream) -> str:
    plain = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
    return origin_of_host(plain.socket.getpeername()[0])
