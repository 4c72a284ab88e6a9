"""The gRPC server in its thread."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import grpc
import grpc.aio
import trio

from ordago.arena.connection import Reception
from ordago.arena.processor import on_one_processor
from ordago.arena.reception import MAX_FRAME_BYTES
from ordago.edge.bridge import Bridge
from ordago.edge.catalogue import Catalogue
from ordago.edge.heartbeat import Heartbeat
from ordago.edge.stream import Context, Stream
from ordago.v1.game_service_pb2_grpc import add_GameServiceServicer_to_server

_SERVICE: Final = "ordago.v1.BotService"
_STOP_GRACE_SECONDS: Final = 1.0
_START_SECONDS: Final = 10.0

# Keys that grpc does not know are ignored without a word, so these are the ones that a test on the wire has proved.
_OPTIONS: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_receive_message_length", MAX_FRAME_BYTES),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 12_000),
    ("grpc.keepalive_timeout_ms", 6_000),
    ("grpc.http2.ping_timeout_ms", 6_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 8_000),
)


class EdgeError(Exception):
    """The server cannot listen where it was told to. The user erred, or another program was there first."""


class Edge:
    """A running server. ``Edge.open`` starts it and stops it again."""

    def __init__(self, bridge: Bridge, reception: Reception) -> None:
        """Use ``Edge.open``."""
        self._bridge = bridge
        self._reception = reception
        self._loop = asyncio.new_event_loop()
        self._stopping = asyncio.Event()
        self._started = threading.Event()
        self._failure: Exception | None = None
        self._thread: threading.Thread | None = None
        self.port = 0
        """The port that the server listens on."""

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str, reception: Reception) -> AsyncIterator["Edge"]:
        """Listen on an address, ``HOST:PORT`` with port 0 for any that is free, and hand connections to a reception.

        Raises:
            EdgeError: the address cannot be listened on.
        """
        edge = cls(Bridge(reception.clock, reception.chronicle), reception)
        with on_one_processor():
            edge._thread = threading.Thread(target=edge._run, args=(address,), name="ordago-edge", daemon=True)
            edge._thread.start()
            try:
                await trio.to_thread.run_sync(edge._started.wait, _START_SECONDS)
                if edge._failure is not None:
                    raise EdgeError(_cannot_listen(address)) from edge._failure
                yield edge
            finally:
                edge._loop.call_soon_threadsafe(edge._stopping.set)
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(edge._thread.join)
                edge._bridge.detach()

    def _run(self, address: str) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve(address))
        finally:
            self._started.set()
            self._loop.close()

    async def _serve(self, address: str) -> None:
        self._bridge.attach(self._loop)
        server = grpc.aio.server(options=_OPTIONS)
        server.add_generic_rpc_handlers((self._bot_handler(),))
        add_GameServiceServicer_to_server(Catalogue(), server)  # type: ignore[no-untyped-call]  # generated
        try:
            self.port = _added_port(server, address)
            await server.start()
        except (RuntimeError, grpc.RpcError) as error:
            self._failure = error
        self._started.set()
        heart = asyncio.ensure_future(Heartbeat(self._bridge.clock).beat())
        await self._stopping.wait()
        await server.stop(_STOP_GRACE_SECONDS)
        heart.cancel()

    def _bot_handler(self) -> grpc.GenericRpcHandler:
        # Bytes pass as they are: the session machine parses and makes them, in trio's thread.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(_SERVICE, {"Play": play})

    async def _play(self, _requests: object, context: Context) -> None:
        await Stream(context, self._bridge).serve(self._reception)


def _added_port(server: grpc.aio.Server, address: str) -> int:
    """Let a server listen on an address and return the port."""
    port = server.add_insecure_port(address)
    # Of a port that is too large grpc takes the last 16 bits, without a word.
    if not address.endswith((":0", f":{port}")):
        raise RuntimeError(f"there is no such port: {address}")
    return port


def _cannot_listen(address: str) -> str:
    return f"cannot listen on {address}: is another server running there? Choose another port, or 0 for any"
