"""The web server: hypercorn under trio, with bounds against those who send or read slowly, and a graceful end."""

import logging
import signal
import socket
from collections.abc import Awaitable, Callable
from typing import Final, cast

import trio
from hypercorn.config import Config, Sockets
from hypercorn.trio import serve
from hypercorn.typing import Framework
from starlette.types import ASGIApp

from ordago_web.listener import Place

_GRACE_SECONDS: Final = 3.0
_IDLE_SECONDS: Final = 10.0
"""For so long a connection may say nothing, or not all of the head of a request."""
_HEAD_BYTES: Final = 16_384
_STREAMS_OF_A_CONNECTION: Final = 32


class _Config(Config):
    """The settings of hypercorn, for a socket that listens already."""

    def __init__(self, listener: socket.socket, place: Place) -> None:
        super().__init__()
        self._listener = listener
        self.certfile = None if place.certificate is None else str(place.certificate)
        self.keyfile = None if place.key is None else str(place.key)
        self.accesslog = None
        self.errorlog = logging.getLogger("ordago.web")
        self.loglevel = "WARNING"
        self.include_server_header = False
        self.graceful_timeout = _GRACE_SECONDS
        self.shutdown_timeout = _GRACE_SECONDS
        self.ssl_handshake_timeout = _IDLE_SECONDS
        self.keep_alive_timeout = _IDLE_SECONDS
        self.h11_max_incomplete_size = _HEAD_BYTES
        self.h2_max_header_list_size = _HEAD_BYTES
        self.h2_max_concurrent_streams = _STREAMS_OF_A_CONNECTION

    def create_sockets(self) -> Sockets:
        """Return the socket that there is."""
        return Sockets([self._listener], [], []) if self.ssl_enabled else Sockets([], [self._listener], [])


async def serve_site(
    application: ASGIApp, listener: socket.socket, place: Place, *, until: Callable[[], Awaitable[None]]
) -> None:
    """Serve a site until something returns; what is being answered then has some seconds."""
    await serve(cast(Framework, application), _Config(listener, place), shutdown_trigger=until, mode="asgi")


async def signalled() -> None:
    """Return at the first signal that ends a program."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        await anext(signals)
