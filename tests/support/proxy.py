"""A way to a server that can be broken and mended."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from random import Random

import trio


class Proxy:
    """Passes bytes on between clients and a server, until it is told to break."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._scopes: list[trio.CancelScope] = []
        self.port = 0
        """The port that clients connect to."""

    def break_all(self) -> None:
        """Break all connections; new ones are passed on again."""
        while self._scopes:
            self._scopes.pop().cancel()

    def break_one(self, rng: Random) -> bool:
        """Break one connection by chance, and say whether there was one."""
        if not self._scopes:
            return False
        self._scopes.pop(rng.randrange(len(self._scopes))).cancel()
        return True

    async def serve(self, client: trio.SocketStream) -> None:
        """Pass on what comes on one connection."""
        with trio.CancelScope() as scope:
            self._scopes.append(scope)
            server = await trio.open_tcp_stream("127.0.0.1", self._server_port)
            async with server, trio.open_nursery() as nursery:
                nursery.start_soon(_pass_on, client, server)
                nursery.start_soon(_pass_on, server, client)
        if scope in self._scopes:
            self._scopes.remove(scope)


async def _pass_on(source: trio.SocketStream, sink: trio.SocketStream) -> None:
    try:
        async for data in source:
            await sink.send_all(data)
        await sink.send_eof()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # One of the two is gone, and the other will notice.


@asynccontextmanager
async def proxy_to(server_port: int) -> AsyncIterator[Proxy]:
    """Open a proxy to a server on this machine."""
    proxy = Proxy(server_port)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, proxy.serve, 0, host="127.0.0.1")
        [listener] = await nursery.start(serve)
        proxy.port = listener.socket.getsockname()[1]
        yield proxy
        nursery.cancel_scope.cancel()
