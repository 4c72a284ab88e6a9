"""The gRPC server, in the loop of its thread."""

import asyncio
import logging
import resource
import threading
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

import grpc
import grpc.aio
import trio

from ordago.arena.admission.limits import MAX_FRAME_BYTES
from ordago.arena.connection import Acceptor
from ordago.arena.processes.processor import on_one_processor
from ordago.edge.bridge import Bridge, open_bridge
from ordago.edge.call_gate import TOO_MANY_ON_A_CONNECTION, CallGate, Service
from ordago.edge.catalogue import GAME_SERVICE, Catalogue, Describing, no_event
from ordago.edge.health import BOT_SERVICE, HEALTH_SERVICE, Health
from ordago.edge.loop_lag import LoopLag
from ordago.edge.reflection import Reflection
from ordago.edge.sockets import UNIX
from ordago.edge.stream import Context, Stream
from ordago.edge.tls import Certificates, Tls, TlsError
from ordago.edge.transports import MOST_CONNECTIONS, TransportBounds, Transports
from ordago.one_thread import host_loop

_STOP_GRACE_SECONDS: Final = 1.0
"""The time for streams to end by themselves before grpc ends them. Not measured: the last messages are sent by then."""
_START_SECONDS: Final = 10.0
"""The time for a thread to begin listening, or to end. Not measured: only a stuck machine takes as long."""
# grpc refuses larger frames before it has read them: the bot gets a status alone, and we see only that the stream is
# over. Smaller frames are read and answered by the contract. The limit is low for strangers, who could fill the memory
# with frames, and high for bots that we started, so that the log can say what they sent.
_MOST_BYTES_READ: Final = 4 * MAX_FRAME_BYTES
_MOST_BYTES_READ_OF_OWN_BOTS: Final = 16 * 1024 * 1024
_STREAMS_OF_A_CONNECTION: Final = 16
"""The most calls open on one connection. The contract with bots states it (docs/protocol.md, connecting)."""
OWN_FILES: Final = 128
"""The most files that a server has open besides its connections: its own, and those of its libraries."""

# grpc silently ignores unknown keys, so a test on the wire has shown the effect of each of these. The times are those
# of the contract (docs/protocol.md): a ping every 12 seconds, 6 seconds for the answer. The third of them defaults to
# a minute, which would take precedence over the one before it.
_OPTIONS: Final[Sequence[tuple[str, int]]] = (
    ("grpc.max_concurrent_streams", _STREAMS_OF_A_CONNECTION),
    # Limits for clients that connect and send nothing, or no handshake of TLS or HTTP/2, or make no calls afterwards.
    # Where sockets can be listed, these are shut earlier if there are too many; see transports.py.
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 10_000),
    # Room for a token and what libraries add. Above the second limit grpc always ends the call; above the first, maybe.
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 12_000),
    ("grpc.keepalive_timeout_ms", 6_000),
    ("grpc.http2.ping_timeout_ms", 6_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # After a stall of this machine, pings that a client sent in time arrive all at once. No client is cut off for that,
    # so no minimum interval between pings is needed either.
    ("grpc.http2.max_ping_strikes", 0),
    # Without it grpc sends extra pings on each active connection to measure bandwidth: an eighth of the cost of a
    # decision when a thousand bots play one match each. Frames of bots are small, so they need no larger windows.
    ("grpc.http2.bdp_probe", 0),
)


class EdgeError(Exception):
    """The server cannot listen as asked: a mistake of the user, or another program uses the address."""


class EdgeFailedError(Exception):
    """The thread of grpc has failed, and nothing can connect any more: a mistake in the server."""


class Edge:
    """A running gRPC server, made by ``Edge.open``."""

    def __init__(
        self,
        bridge: Bridge,
        acceptor: Acceptor,
        certificates: Certificates | None,
        *,
        own_bots_only: bool,
        for_one: bool,
        event: Describing,
        services: Sequence[Service],
        reflection: bool,
        on_loop_of: "Edge | None",
        connections: int,
    ) -> None:
        """Use ``Edge.open``."""
        self._bridge = bridge
        self._acceptor = acceptor
        self._certificates = certificates
        if certificates is not None:
            acceptor.telemetry.counters.certificate = certificates.state
        self._most_bytes_read = _MOST_BYTES_READ_OF_OWN_BOTS if own_bots_only else _MOST_BYTES_READ
        self._services = services
        self._reflection = reflection
        self._transports = Transports(
            acceptor.telemetry, tls=certificates is not None, bounds=_transport_bounds(connections)
        )
        self._gate = CallGate(acceptor.telemetry, self._transports, for_one=for_one)
        self._health = Health(self._gate, [service.name for service in services])
        self._catalogue = Catalogue(self._gate, event)
        self._on_loop_of = on_loop_of
        self._host: asyncio.AbstractEventLoop | None = (
            host_loop() if on_loop_of is None else on_loop_of._loop  # noqa: SLF001 - of the same class
        )
        """The existing loop that it shares; ``None`` if it has one of its own."""
        self._loop: asyncio.AbstractEventLoop = self._host or asyncio.new_event_loop()
        self._streams: set[asyncio.Task[None]] = set()
        """The tasks that serve bots' streams."""
        self._stopping = asyncio.Event()
        self._started = threading.Event()
        self._listens = False
        """True once it listens. A later failure may come before trio's thread has seen the start."""
        self._failure: BaseException | None = None
        self._serving = trio.CancelScope()
        """The scope of the user's code in trio's thread, cancelled if grpc's thread fails."""
        self._ended = threading.Event()
        """Set when the part in grpc's thread has ended."""
        self.port = 0
        """The port that the server listens on; meaningless for a Unix socket."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        address: str,
        acceptor: Acceptor,
        *,
        tls: Tls | None = None,
        own_bots_only: bool = False,
        for_one: bool = False,
        event: Describing = no_event,
        services: Sequence[Service] = (),
        reflection: bool = False,
        on_loop_of: "Edge | None" = None,
        connections: int = MOST_CONNECTIONS,
    ) -> AsyncIterator["Edge"]:
        """Listen on an address within the context, and pass connections to an acceptor.

        Args:
            address: the address to listen on: ``HOST:PORT``, with port 0 for any free one, or ``unix:PATH``.
            acceptor: receives the connections.
            tls: the certificates of the server; ``None`` for unencrypted connections.
            own_bots_only: expect only bots that this program started. Far larger frames are then read to their end, so
                that a bot's oversized frame can be told from a broken connection.
            for_one: set no limits per address, since all calls come from one program of ours.
            event: describes an event by its name, in grpc's thread; empty if there is none.
            services: further services to offer.
            reflection: offer gRPC server reflection.
            on_loop_of: an open server of this process, whose thread this one shares, since grpc supports one loop for
                each process; it has to be closed after this one.
            connections: the most connections, with and without bots, as far as this process may open files.

        Raises:
            EdgeError: the address cannot be listened on, or the certificates cannot be used.
            EdgeFailedError: the server failed while it was open; the cause is the error.
        """
        bridge = open_bridge(acceptor.clock, acceptor.telemetry, together=acceptor.together)
        edge = cls(
            bridge,
            acceptor,
            _certificates(tls),
            own_bots_only=own_bots_only,
            for_one=for_one,
            event=event,
            services=services,
            reflection=reflection,
            on_loop_of=on_loop_of,
            connections=connections,
        )
        with on_one_processor():
            edge._begin(address)
            try:
                await edge._wait_for_start(address)
                with edge._serving:
                    yield edge
            finally:
                edge._call(edge._stopping.set)
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(edge._ended.wait, _START_SECONDS)
                edge._bridge.detach()
        if edge._serving.cancelled_caught:
            raise EdgeFailedError("the server failed and accepts no more connections") from edge._failure

    def stop_inviting(self) -> None:
        """Report in health checks that no new bots are accepted. Called in trio's thread."""
        self._health.serving = False

    def _call(self, call: Callable[[], object]) -> None:
        """Run a call in grpc's thread, unless it has ended."""
        # Raised if the loop is closed.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)

    async def _wait_for_start(self, address: str) -> None:
        started = await trio.to_thread.run_sync(self._started.wait, _START_SECONDS)
        if not started:
            raise EdgeError(f"the server did not start to listen on {address} within {_START_SECONDS:g} s")
        if self._failure is not None and not self._listens:
            raise self._failure

    def _begin(self, address: str) -> None:
        """Serve in the existing loop, or in a new thread."""
        if self._host is None:
            threading.Thread(target=self._run, args=(address,), name="ordago-edge", daemon=True).start()
        else:
            asyncio.run_coroutine_threadsafe(self._run_in_host(address), self._host)

    def _run(self, address: str) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve_and_finish(address))
        except BaseException as error:  # noqa: BLE001 - otherwise trio's thread would wait forever
            self._fail(error)
        finally:
            self._started.set()
            self._loop.close()
            self._ended.set()

    async def _serve_and_finish(self, address: str) -> None:
        await self._serve(address)
        await _last_steps(asyncio.all_tasks() - {asyncio.current_task()})

    async def _run_in_host(self, address: str) -> None:
        try:
            await self._serve(address)
            await _last_steps(self._streams)
        except BaseException as error:  # noqa: BLE001 - as above
            self._fail(error)
        finally:
            self._started.set()
            self._ended.set()

    def _fail(self, error: BaseException) -> None:
        self._failure = error
        if self._listens:
            self._acceptor.telemetry.failed_at("serving")
            self._bridge.post(self._serving.cancel)

    async def _serve(self, address: str) -> None:
        tell_of_broken_connections()
        self._bridge.attach(self._loop)
        server = self._made()
        try:
            self.port = self._added_port(server, address)
            self._transports.listen(address, self.port)
            await server.start()
        except (RuntimeError, grpc.RpcError) as error:
            await server.stop(None)
            raise EdgeError(_cannot_listen(address)) from error
        self._listens = True
        self._started.set()
        await self._watch_over(server)

    async def _watch_over(self, server: grpc.aio.Server) -> None:
        """Wait until the server has to stop, and stop it. Meanwhile measure its lag and check its connections."""
        lag = asyncio.ensure_future(LoopLag(self._bridge.clock).watch())
        looking = asyncio.ensure_future(self._transports.watch())
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((lag, stopping), return_when=asyncio.FIRST_COMPLETED)
            if lag.done():
                # Without this watch all time would count as lost, and no bot would be charged any more.
                lag.result()
        finally:
            await server.stop(_STOP_GRACE_SECONDS)
            for task in (lag, looking, stopping):
                task.cancel()

    def _made(self) -> grpc.aio.Server:
        """Make the server with all its services."""
        bounds = (
            ("grpc.max_receive_message_length", self._most_bytes_read),
            ("grpc.max_allowed_incoming_connections", self._transports.bounds.in_all),
        )
        server = grpc.aio.server(options=(*_OPTIONS, *bounds))
        offered = [service.handler(self._gate, self._acceptor.telemetry) for service in self._services]
        server.add_generic_rpc_handlers((self._bot_handler(), self._catalogue.handler, self._health.handler, *offered))
        if self._reflection:
            names = (BOT_SERVICE, GAME_SERVICE, HEALTH_SERVICE, *(service.name for service in self._services))
            server.add_generic_rpc_handlers(Reflection(self._gate, names).handlers)
        return server

    def _bot_handler(self) -> grpc.GenericRpcHandler:
        # No serializers: the state machine of the session parses and makes the bytes, in trio's thread.
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler(BOT_SERVICE, {"Play": play})

    async def _play(self, _requests: object, context: Context) -> None:
        with self._gate.play(context.peer()) as taken:
            if not taken:
                await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, TOO_MANY_ON_A_CONNECTION)
            with self._noted():
                await Stream(context, self._bridge).serve(lambda stream: self._acceptor(stream))

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Keep the current task in the set of streams within the context."""
        task = asyncio.current_task()
        assert task is not None
        self._streams.add(task)
        try:
            yield
        finally:
            self._streams.discard(task)

    def _added_port(self, server: grpc.aio.Server, address: str) -> int:
        """Add a listening port to a server, and return it.

        Raises:
            RuntimeError: the address cannot be used.
        """
        if self._certificates is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, self._certificates.credentials(self._transports.notice))
        # grpc silently cuts a port that is too large to its last 16 bits.
        if not address.startswith(UNIX) and not address.endswith((":0", f":{port}")):
            raise RuntimeError(f"there is no such port: {address}")
        return port


def _transport_bounds(connections: int) -> TransportBounds:
    """Return the limits on connections, lowered if this process may not open as many files."""
    bounds, files = TransportBounds(in_all=connections), resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY or files >= bounds.in_all + OWN_FILES:
        return bounds
    in_all = max(1, files - OWN_FILES)
    return replace(bounds, in_all=in_all, idle=min(bounds.idle, max(1, in_all // 4)))


async def _last_steps(tasks: Collection[asyncio.Task[Any] | None]) -> None:
    """Wait for tasks that were just cancelled to end, before their loop is closed or trio is gone."""
    left = [task for task in tasks if task is not None]
    if left:
        await asyncio.wait(left, timeout=_STOP_GRACE_SECONDS)


def _certificates(tls: Tls | None) -> Certificates | None:
    try:
        return None if tls is None else Certificates(tls)
    except TlsError as error:
        raise EdgeError(str(error)) from None


def _cannot_listen(address: str) -> str:
    return f"cannot listen on {address}: it is in use, or no address of this machine; choose another port, or 0 for any"


_GRPC: Final = logging.getLogger("grpc._cython.cygrpc")
_BATCH_FAILED: Final = "ExecuteBatchError"
CONNECTION_BROKE: Final = "connection broke while it was closed"
"""The message logged in place of grpc's traceback."""


class _BrokenConnections(logging.Filter):
    """A filter that shortens grpc's traceback of its internals if a bot vanishes while its stream is being ended.

    This happens by chance and is no mistake: our part of the stream had ended before.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass every record, but rewrite such an error to one line of level INFO, dropped if that is off."""
        error = record.exc_info[1] if record.exc_info else None
        if type(error).__name__ != _BATCH_FAILED:
            return True
        record.levelno, record.levelname = logging.INFO, logging.getLevelName(logging.INFO)
        record.msg, record.args, record.exc_info = CONNECTION_BROKE, (), None
        return _GRPC.isEnabledFor(logging.INFO)


_BROKEN_CONNECTIONS: Final = _BrokenConnections()


def tell_of_broken_connections() -> None:
    """Make grpc log broken connections in one line each. May be called repeatedly."""
    _GRPC.addFilter(_BROKEN_CONNECTIONS)
