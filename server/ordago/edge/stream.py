"""A stream of ``BotService.Play``: a ``Connection`` for the arena, a reading and a writing task for grpc."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

import grpc
import grpc.aio

from ordago.arena.connection import ConnectionHandler, Departure, Status
from ordago.edge.bridge import Bridge
from ordago.edge.operations import begun
from ordago.edge.origins import origin_of

Context: TypeAlias = grpc.aio.ServicerContext[bytes, bytes]

MAX_QUEUED_BYTES: Final = 4 * 1024 * 1024
"""The most bytes that may wait for a bot that does not read; beyond them it is cut off.

All that waits goes out as one frame, and gRPC libraries usually accept messages up to 4 MiB. HTTP/2 below buffers
another 4 to 6 MiB, as measured, before anything waits here.
"""
_LAST_WORDS_SECONDS: Final = 5.0
"""Seconds that a bot has to read the last messages before its stream ends.

Not measured: a bot that reads at all needs far less, and for others the stream need not stay open.
"""
LONGEST_SENTENCE: Final = 500
"""The most characters of a sentence in a status. It may quote the bot, and a status that is too long is never received.

Metadata may usually have 8 KiB. A character has at most four bytes, each sent as three, ``%XX``: 6,000 bytes in all.
"""
_STATUS_CODES: Final = {status: grpc.StatusCode[status.name] for status in Status}
_BEARER: Final = "bearer"
EVENT_KEY: Final = "ordago-event"
"""The metadata key of the event that a bot enters (docs/protocol.md)."""
RETRY_AFTER: Final = "retry-after-ms"
"""The metadata key, sent with a status, of the milliseconds to wait before reconnecting (docs/protocol.md)."""


class _Alarm:
    """An event for a single task, in grpc's thread. An ``asyncio.Event`` serves many, and takes most of a KiB each."""

    def __init__(self) -> None:
        self._rang = False
        self._sleeping: asyncio.Future[None] | None = None

    def ring(self) -> None:
        """Wake the task, or make its next ``wait`` return at once."""
        self._rang = True
        if self._sleeping is not None and not self._sleeping.done():
            self._sleeping.set_result(None)

    async def wait(self) -> None:
        """Wait for the next ``ring``; return at once if there was one since the last ``wait``."""
        if not self._rang:
            self._sleeping = asyncio.get_running_loop().create_future()
            await self._sleeping
            self._sleeping = None
        self._rang = False


class Stream:
    """A stream of one bot. ``send`` and ``close`` are called in trio's thread, all else in grpc's."""

    def __init__(self, context: Context, bridge: Bridge) -> None:
        """Take over a stream that grpc has just opened."""
        self._context = context
        self._bridge = bridge
        self._waking = bridge.waking
        self._queue: list[bytes] = []
        self._departures: list[Departure | None] = []
        """The departures of the queued frames, and possibly of one more frame that is about to be queued."""
        # Two counters, since each may be written by one thread only.
        self._bytes_queued = 0
        self._bytes_taken = 0
        self._closing: tuple[Status, str, int] | None = None
        """The status, the sentence, and the milliseconds to wait before reconnecting; ``None`` while open."""
        self._last_words: asyncio.TimerHandle | None = None
        self._cut_off = False
        self._alarm = _Alarm()
        self._given_up: asyncio.Future[None] | None = None
        """Done once the server stops waiting for the bot to read; ``None`` before the stream is served."""
        self._over = False
        self._handler: ConnectionHandler | None = None
        """The receiver of the stream's frames and of its end. Used in trio's thread."""
        authorization = _metadatum(context, "authorization")
        self._token = bearer_token(authorization)
        self._lacks_bearer = authorization is not None and self._token is None
        self._event = _metadatum(context, EVENT_KEY) or ""
        self._origin = origin_of(context.peer())

    @property
    def token(self) -> str | None:
        """The bearer token from the metadata; ``None`` without one."""
        return self._token

    @property
    def lacks_bearer(self) -> bool:
        """True if the metadata has an ``authorization`` that is no bearer token."""
        return self._lacks_bearer

    @property
    def event(self) -> str:
        """The event that the bot enters; empty if it named none."""
        return self._event

    @property
    def origin(self) -> str:
        """The address of the bot; see ``origin_of``."""
        return self._origin

    def send(self, frame: bytes, departure: Departure | None = None) -> None:
        """Queue a frame. A bot with more than ``MAX_QUEUED_BYTES`` waiting is cut off."""
        if self._closing is not None:
            return
        # In this order, since grpc's thread may take what is queued at any time.
        self._departures.append(departure)
        self._queue.append(frame)
        self._bytes_queued += len(frame)
        if self._bytes_queued - self._bytes_taken > MAX_QUEUED_BYTES:
            self._cut_off = True
            self.close(Status.RESOURCE_EXHAUSTED, "the bot does not read its messages")
        self._waking.add(self, urgent=departure is not None)

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the stream after the queued frames."""
        if self._closing is None:
            self._closing = (status, sentence, retry_after_ms)
            self._waking.add(self)

    def wake(self) -> None:
        """Make the writer check the queue."""
        self._alarm.ring()
        if self._given_up is None:
            return
        # The writer may be blocked by a bot that does not read.
        if self._cut_off:
            self._give_up(self._given_up)
        elif self._closing is not None and self._last_words is None:
            loop = asyncio.get_running_loop()
            self._last_words = loop.call_later(_LAST_WORDS_SECONDS, self._give_up, self._given_up)

    @staticmethod
    def _give_up(given_up: "asyncio.Future[None]") -> None:
        if not given_up.done():
            given_up.set_result(None)

    @property
    def cut_off(self) -> bool:
        """True if it was ended because the bot does not read."""
        return self._cut_off

    @property
    def waiting_bytes(self) -> int:
        """The number of bytes queued and not written yet."""
        return self._bytes_queued - self._bytes_taken

    async def serve(self, greet: Callable[["Stream"], ConnectionHandler]) -> None:
        """Serve the stream until it ends. ``greet`` runs in trio's thread."""
        # Separately, not along with the first frame: if the bot stops sending while that frame is on its way, grpc
        # would send the metadata twice, fail, and never end the stream for the bot.
        await self._context.send_initial_metadata(())
        try:
            handler = await self._bridge.ask(lambda: self._enter(greet))
            await self._serve(handler)
        finally:
            # However early the stream ends, ``_enter`` runs before, since calls are run in order.
            self._bridge.post(self._leave)
        if self._closing is not None:
            await self._end(*self._closing)

    def _enter(self, greet: Callable[["Stream"], ConnectionHandler]) -> ConnectionHandler:
        self._handler = greet(self)
        return self._handler

    def _leave(self) -> None:
        if self._handler is not None:
            self._handler.lost()

    async def _serve(self, handler: ConnectionHandler) -> None:
        self._bridge.wire.queues.add(self)
        self._given_up = asyncio.get_running_loop().create_future()
        reader, writer = begun(self._read(handler)), begun(self._write())
        try:
            await asyncio.wait((reader, writer, self._given_up), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._bridge.wire.queues.discard(self)
            # What grpc still reads or writes ends with the call, and the two tasks with that.
            self._over = True
            self._alarm.ring()
            if self._last_words is not None:
                self._last_words.cancel()

    async def _end(self, status: Status, sentence: str, retry_after_ms: int) -> None:
        if status is not Status.OK:
            metadata = ((RETRY_AFTER, str(retry_after_ms)),) if retry_after_ms else ()
            await self._context.abort(_STATUS_CODES[status], sentence[:LONGEST_SENTENCE], metadata)

    async def _read(self, handler: ConnectionHandler) -> None:
        """Deliver frames until the bot stops sending. An end without a Goodbye means that the bot is gone."""
        while True:
            frame: object = await self._context.read()
            if self._over or not isinstance(frame, bytes):  # grpc.aio.EOF
                return
            self._bridge.deliver(handler, frame)

    async def _write(self) -> None:
        """Write the queue, all that is ready as one frame, until the stream is closed."""
        while True:
            await self._alarm.wait()
            if self._over:
                return
            # Once for each wake-up: trio's thread may be about to queue more, which then goes out in one frame.
            if self._queue:
                await self._context.write(self._next_frame())
            # In this order: nothing is queued after the closing, but the last messages may be queued just before it.
            if self._closing is not None and not self._queue:
                return

    def _next_frame(self) -> bytes:
        now, lost = self._bridge.now(), self._bridge.clock.lost
        # The other thread may append meanwhile: take only what is in the queue now.
        taken = len(self._queue)
        for departure in self._departures[:taken]:
            if departure is not None:
                departure.at, departure.lost = now, lost
        joined = b"".join(self._queue[:taken])
        del self._queue[:taken], self._departures[:taken]
        self._bytes_taken += len(joined)
        self._bridge.wire.frames_out += 1
        self._bridge.wire.bytes_out += len(joined)
        return joined


def _metadatum(context: Context, wanted: str) -> str | None:
    """Return the value of a key in the metadata; ``None`` if it is missing."""
    for key, value in context.invocation_metadata() or ():
        if key == wanted and isinstance(value, str):
            return value
    return None


def token_of(context: Context) -> str | None:
    """Return the bearer token of a call; ``None`` without one."""
    return bearer_token(_metadatum(context, "authorization"))


def bearer_token(authorization: str | None) -> str | None:
    """Return the token of an ``authorization``; ``None`` without one. The case of its scheme is ignored."""
    scheme, space, token = (authorization or "").partition(" ")
    return token if space and scheme.lower() == _BEARER else None
