"""A scripted server over real gRPC: the doctor's end of each connection of a bot.

It runs in threads, so that a script is sequential code. The input of a bot is bounded: frames have a maximal size, only
a few of them are queued, and the rest waits in the network.
"""

import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, NamedTuple, Self

import grpc

_METHOD: Final = "Play"
_SERVICE: Final = "ordago.v1.BotService"
_MOST_STREAMS: Final = 16
"""As many as a server accepts on one connection."""
_MOST_FRAMES: Final = 16
"""The number of frames of one connection that are queued."""
GREATEST_FRAME_BYTES: Final = 256 * 1024
"""Larger frames are rejected unread, as by a server."""
_RETRY_AFTER: Final = "retry-after-ms"


class Arrival(NamedTuple):
    """A frame that has arrived."""

    frame: bytes
    seconds: float
    """The time of its arrival, by the monotonic clock."""


class Ending(NamedTuple):
    """The end of a stream, as the doctor sends it."""

    status: grpc.StatusCode
    sentence: str = ""
    retry_after_ms: int | None = None
    """The time after which the bot may reconnect; ``None`` to leave it open."""


class SilenceError(Exception):
    """Nothing arrived in time."""


class StreamOverError(Exception):
    """Nothing more can arrive: the bot has ended its stream, or the connection is lost."""


class Connection:
    """One stream of a bot."""

    def __init__(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> None:
        """Begin to read."""
        self._requests = requests
        self._context = context
        self._inbox: queue.SimpleQueue[Arrival | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(_MOST_FRAMES)
        self._outbox: queue.SimpleQueue[bytes | Ending | None] = queue.SimpleQueue()
        self.metadata: Mapping[str, str] = {key: str(value) for key, value in context.invocation_metadata()}
        """The metadata of the call."""
        if not context.add_callback(self._let_go):
            self._let_go()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, frame: bytes) -> None:
        """Send a frame."""
        self._outbox.put(frame)

    def end(self, ending: Ending) -> None:
        """End the stream."""
        self._outbox.put(ending)

    def hear(self, seconds: float) -> Arrival:
        """Return the next frame.

        Raises:
            SilenceError: none arrived within these seconds.
            StreamOverError: none will arrive.
        """
        try:
            arrival = self._inbox.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise SilenceError from None
        if arrival is None:
            self._inbox.put(None)
            raise StreamOverError
        self._room.release()
        return arrival

    def frames(self) -> Iterator[bytes]:
        """Yield the frames to send, until the stream ends."""
        while (item := self._outbox.get()) is not None:
            if isinstance(item, Ending):
                self._end(item)
                return
            yield item

    def _end(self, ending: Ending) -> None:
        if ending.retry_after_ms is not None:
            self._context.set_trailing_metadata(((_RETRY_AFTER, str(ending.retry_after_ms)),))
        if ending.status is not grpc.StatusCode.OK:
            self._context.abort(ending.status, ending.sentence)

    def _let_go(self) -> None:
        self._outbox.put(None)
        # Wake the reader that waits for room, so that it sees the end of the stream.
        self._room.release()

    def _read(self) -> None:
        # Any error of the stream means its end here. Back-pressure: a bot that sends faster than we read has to wait.
        with suppress(Exception):
            for frame in self._requests:
                self._room.acquire()
                self._inbox.put(Arrival(frame, time.monotonic()))
        self._inbox.put(None)


class Certificate(NamedTuple):
    """The certificate of a server, all of it in PEM."""

    chain: bytes
    key: bytes
    client_authority: bytes | None = None
    """The authority for certificates of bots; ``None`` if they need none."""


class ScriptedServer:
    """A server that hands out the streams of bots one by one."""

    def __init__(self, *, certificate: Certificate | None = None, socket: str = "") -> None:
        """Listen on a port of this machine.

        Args:
            certificate: the certificate for TLS; ``None`` for no TLS.
            socket: the path of a Unix socket to listen on as well; empty for none.
        """
        self._arrivals: queue.Queue[Connection] = queue.Queue(_MOST_STREAMS)
        self._server = grpc.server(
            ThreadPoolExecutor(_MOST_STREAMS),
            maximum_concurrent_rpcs=_MOST_STREAMS,
            options=(("grpc.max_receive_message_length", GREATEST_FRAME_BYTES), ("grpc.so_reuseport", 0)),
        )
        handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {_METHOD: handler}),))
        self.port = self._listen(certificate)
        """The port."""
        if socket:
            self._server.add_insecure_port(f"unix:{socket}")

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()

    def next(self, seconds: float) -> Connection | None:
        """Return the next stream that a bot opens, or ``None`` if none comes within these seconds."""
        try:
            return self._arrivals.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None

    def _listen(self, certificate: Certificate | None) -> int:
        if certificate is None:
            return self._server.add_insecure_port("127.0.0.1:0")
        credentials = grpc.ssl_server_credentials(
            [(certificate.key, certificate.chain)],
            certificate.client_authority,
            require_client_auth=certificate.client_authority is not None,
        )
        return self._server.add_secure_port("127.0.0.1:0", credentials)

    def _play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        connection = Connection(requests, context)
        try:
            self._arrivals.put_nowait(connection)
        except queue.Full:
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many streams")
        yield from connection.frames()


def status_of(name: str) -> grpc.StatusCode:
    """Return the status of this name.

    Raises:
        KeyError: there is none.
    """
    return grpc.StatusCode[name]


STATUS_NAMES: Final[Sequence[str]] = [status.name for status in grpc.StatusCode]
