"""One stream between a fake of grpc's end and a fake of the arena, over a real bridge between two threads."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import grpc
import grpc.aio
import pytest
import trio
from support.processes import until

from ordago.arena.connection import Connection, Departure, Status
from ordago.arena.referee_clock import RefereeClock
from ordago.edge.bridge import open_bridge
from ordago.edge.origins import origin_of
from ordago.edge.stream import MAX_QUEUED_BYTES, Stream
from ordago.telemetry.telemetry import Telemetry

pytestmark = pytest.mark.two_threads
POISON = b"a frame that the server cannot take"


class FakeContext:
    """grpc's end of a stream. It belongs to grpc's thread; what a test looks at is only read there."""

    def __init__(self, *, token: str | None = None) -> None:
        self._token = token
        self.inbox: asyncio.Queue[object] = asyncio.Queue()
        self.reading = asyncio.Event()
        self.reading.set()
        self.written: list[bytes] = []
        self.ended: tuple[grpc.StatusCode, str] | None = None
        self.metadata: tuple[tuple[str, str], ...] | None = None
        self.is_over = False
        self.cancelled: list[str] = []
        """The operations that were cancelled, each of which leaks memory in grpc."""

    def invocation_metadata(self) -> list[tuple[str, str | bytes]]:
        other = [("user-agent", "fake"), ("authorization-bin", b"x")]
        return other if self._token is None else [*other, ("authorization", self._token)]

    async def send_initial_metadata(self, metadata: object) -> None:
        await asyncio.sleep(0)
        assert metadata == ()

    async def read(self) -> object:
        with self._noting("read"):
            return await self.inbox.get()

    async def write(self, frame: bytes) -> None:
        with self._noting("write"):
            await self.reading.wait()
        if self.is_over:
            raise grpc.aio.UsageError("the call is over")
        self.written.append(frame)

    @contextmanager
    def _noting(self, operation: str) -> Iterator[None]:
        try:
            yield
        except asyncio.CancelledError:
            self.cancelled.append(operation)
            raise

    def end(self) -> None:
        """End the call, and with it what is under way."""
        self.is_over = True
        self.inbox.put_nowait(grpc.aio.EOF)
        self.reading.set()

    def peer(self) -> str:
        return "ipv4:192.0.2.7:1234"

    async def abort(self, code: grpc.StatusCode, details: str, metadata: tuple[tuple[str, str], ...]) -> None:
        await asyncio.sleep(0)
        self.ended = (code, details)
        self.metadata = metadata
        raise grpc.aio.AbortError


class FakeVisit:
    """What the arena is told."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.frames: list[tuple[bytes, float]] = []
        self.is_lost = False

    def received(self, frame: bytes, at: float) -> Iterator[None]:
        if frame == POISON:
            raise RuntimeError("a mistake in the server")
        self.frames.append((frame, at))
        yield

    def failed(self) -> None:
        self.connection.close(Status.UNAVAILABLE, "the server failed")

    def lost(self) -> None:
        self.is_lost = True


class Served:
    """A stream that is served in a thread of its own."""

    def __init__(self, context: FakeContext) -> None:
        self.context = context
        self.visits: list[FakeVisit] = []
        self.telemetry = Telemetry()
        self.bridge = open_bridge(RefereeClock(), self.telemetry)
        self.loop = asyncio.new_event_loop()
        self.stream = Stream(context, self.bridge)  # type: ignore[arg-type]  # it has all that a stream asks for
        self.over = False

    def run(self) -> None:
        self.bridge.attach(self.loop)
        try:
            self.loop.run_until_complete(self.stream.serve(self._greet))
        except grpc.aio.AbortError:
            pass
        finally:
            self.context.end()
            self.loop.run_until_complete(self._end_all())
            self.loop.close()
            self.over = True

    async def _end_all(self) -> None:
        """Wait for all that the stream has left behind, which the end of the call ends."""
        mine = asyncio.current_task()
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task is not mine), return_exceptions=True)

    def _greet(self, stream: Stream) -> FakeVisit:
        self.visits.append(FakeVisit(stream))
        return self.visits[-1]

    @property
    def handler(self) -> FakeVisit:
        return self.visits[0]

    def comes(self, frame: object) -> None:
        """Let a frame come in, or the end of what the bot sends."""
        self.loop.call_soon_threadsafe(self.context.inbox.put_nowait, frame)

    def stops_reading(self) -> None:
        self.loop.call_soon_threadsafe(self.context.reading.clear)


@asynccontextmanager
async def served(*, token: str | None = None) -> AsyncIterator[Served]:
    stream = Served(FakeContext(token=token))
    thread = threading.Thread(target=stream.run, daemon=True)
    thread.start()
    try:
        await until(lambda: stream.visits)
        yield stream
        with suppress(RuntimeError):  # it may be over already, and its loop closed
            stream.comes(grpc.aio.EOF)
        await until(lambda: stream.over)
        assert stream.context.cancelled == []
    finally:
        stream.bridge.detach()


def mistake() -> None:
    raise RuntimeError("a mistake in the server")


async def test_a_call_that_fails_does_not_end_the_server_nor_the_stream(caplog: pytest.LogCaptureFixture) -> None:
    async with served() as stream:
        stream.handler.failed = mistake  # type: ignore[method-assign]  # it fails, too
        stream.comes(POISON)
        stream.loop.call_soon_threadsafe(stream.bridge.post, mistake)
        await until(lambda: caplog.messages.count("the server failed") == 3)
        stream.comes(b"b")
        await until(lambda: stream.handler.frames)


async def test_a_question_is_answered_by_what_it_returns_or_raises() -> None:
    async with served() as stream:
        for question, answer in ((lambda: 7, 7), (mistake, None)):
            asked = asyncio.run_coroutine_threadsafe(stream.bridge.ask(question), stream.loop)
            await until(asked.done)
            if answer is None:
                assert isinstance(asked.exception(), RuntimeError)
            else:
                assert asked.result() == answer


async def test_nobody_waits_for_an_answer_whose_loop_is_closed() -> None:
    """As where a connection comes while the server ends."""
    async with served() as stream:
        other, asked = asyncio.new_event_loop(), trio.Event()
        task = other.create_task(stream.bridge.ask(asked.set))
        other.run_until_complete(asyncio.sleep(0))
        task.cancel()
        other.run_until_complete(asyncio.wait({task}))
        other.close()
        await asked.wait()
        await trio.lowlevel.checkpoint()


async def test_a_stream_that_ends_while_it_is_greeted_is_told_to_be_lost() -> None:
    async with served() as stream:
        other = Stream(FakeContext(), stream.bridge)  # type: ignore[arg-type]  # as above
        hung = asyncio.run_coroutine_threadsafe(other.serve(stream._greet), stream.loop)
        # Holds up trio's thread until the stream was cancelled in the other one.
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), stream.loop).result()
        hung.cancel()
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), stream.loop).result()
        assert len(stream.visits) == 1
        await until(lambda: len(stream.visits) == 2)
        await until(lambda: stream.visits[1].is_lost)


@pytest.mark.parametrize(
    ("header", "token"), [(None, None), ("Bearer abc", "abc"), ("Basic abc", None), ("abc", None), ("Bearer ", "")]
)
async def test_the_token_is_the_bearers(header: str | None, token: str | None) -> None:
    async with served(token=header) as stream:
        assert stream.stream.token == token


async def test_frames_come_in_order_with_the_time_of_their_arrival() -> None:
    async with served() as stream:
        before = trio.current_time()
        for number in range(2000):
            stream.comes(bytes([number % 256]))
        await until(lambda: len(stream.handler.frames) == 2000)
        frames, times = zip(*stream.handler.frames, strict=True)
        assert b"".join(frames) == bytes(number % 256 for number in range(2000))
        assert list(times) == sorted(times)
        assert before <= times[0] <= times[-1] <= trio.current_time()


async def test_what_is_ready_together_goes_out_together() -> None:
    async with served() as stream:
        queued_at = trio.current_time()
        departures = [Departure(0.0), Departure(queued_at)]
        for frame, departure in zip((b"a", b"b", b"c"), (*departures, None), strict=True):
            stream.stream.send(frame, departure)
        await until(lambda: stream.context.written)
        assert stream.context.written == [b"abc"]
        assert len({departure.at for departure in departures}) == 1
        assert departures[0].at >= queued_at, "a departure is when the frame was written"


async def test_what_piles_up_while_the_bot_does_not_read_goes_out_as_one() -> None:
    async with served() as stream:
        stream.stops_reading()
        stream.stream.send(b"a")
        await until(lambda: stream.stream._bytes_taken == 1)
        for frame in (b"b", b"c"):
            stream.stream.send(frame)
        stream.loop.call_soon_threadsafe(stream.context.reading.set)
        await until(lambda: len(stream.context.written) == 2)
        assert stream.context.written == [b"a", b"bc"]


async def test_a_stream_ends_after_what_is_queued() -> None:
    async with served() as stream:
        stream.stream.send(b"last")
        stream.stream.close(Status.FAILED_PRECONDITION, "no common game")
        stream.stream.close(Status.OK, "the first one counts")
        stream.stream.send(b"too late")
        await until(lambda: stream.over)
        assert stream.context.written == [b"last"]
        assert stream.context.ended == (grpc.StatusCode.FAILED_PRECONDITION, "no common game")
        await until(lambda: stream.handler.is_lost)


async def test_the_last_words_go_out_even_if_they_are_queued_while_a_write_waits() -> None:
    async with served() as stream:
        stream.stops_reading()
        stream.stream.send(b"first")
        await until(lambda: stream.stream._bytes_taken == len(b"first"))
        stream.stream.send(b"last")
        stream.stream.close(Status.OK, "goodbye")
        stream.loop.call_soon_threadsafe(stream.context.reading.set)
        await until(lambda: stream.over)
        assert stream.context.written == [b"first", b"last"]


@pytest.mark.parametrize(("retry_after_ms", "metadata"), [(0, ()), (1500, (("retry-after-ms", "1500"),))])
async def test_when_to_come_again_is_told_with_the_status(
    retry_after_ms: int, metadata: tuple[tuple[str, str], ...]
) -> None:
    async with served() as stream:
        stream.stream.close(Status.RESOURCE_EXHAUSTED, "the server is full", retry_after_ms=retry_after_ms)
        await until(lambda: stream.over)
        assert stream.context.metadata == metadata


@pytest.mark.slow
async def test_a_bot_that_does_not_read_the_last_words_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.edge.stream._LAST_WORDS_SECONDS", 0.05)
    async with served() as stream:
        stream.stops_reading()
        stream.stream.send(b"never read")
        await until(lambda: stream.stream._bytes_taken)
        stream.stream.close(Status.OK, "goodbye")
        await until(lambda: stream.over)
        assert not stream.context.written
        await until(lambda: stream.handler.is_lost)


@pytest.mark.parametrize(
    ("peer", "origin"),
    [
        ("ipv4:192.0.2.7:1234", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:1234", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2::9]:80", "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:1234", "192.0.2.7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1234", "fe80::/64"),
        ("unix:/run/ordago", "unix:/run/ordago"),
        ("ipv4:nonsense", "ipv4:nonsense"),
        ("", ""),
    ],
)
def test_where_a_stream_comes_from(peer: str, origin: str) -> None:
    """One host has one address, or a whole network of version 6."""
    assert origin_of(peer) == origin


async def test_a_stream_that_ends_well_ends_without_a_word() -> None:
    async with served() as stream:
        stream.stream.close(Status.OK, "goodbye")
        await until(lambda: stream.over)
        assert stream.context.ended is None


async def test_the_arena_is_told_after_all_frames_that_the_bot_is_gone() -> None:
    async with served() as stream:
        stream.comes(b"goodbye")
        stream.comes(grpc.aio.EOF)
        await until(lambda: stream.handler.is_lost)
        assert [frame for frame, _ in stream.handler.frames] == [b"goodbye"]


async def test_a_bot_that_does_not_read_is_cut_off() -> None:
    async with served() as stream:
        stream.stops_reading()
        stream.stream.send(b"never read")
        await until(lambda: stream.stream._bytes_taken)
        frame = bytes(64 * 1024)
        for _ in range(MAX_QUEUED_BYTES // len(frame)):
            stream.stream.send(frame)
        await trio.lowlevel.checkpoint()
        assert not stream.handler.is_lost, "so much may pile up"
        stream.stream.send(b"one byte more is too much")
        await until(lambda: stream.handler.is_lost)
        await until(lambda: stream.over)
        assert stream.context.ended is not None
        assert stream.context.ended[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert not stream.context.written


async def test_what_a_bot_reads_does_not_count_against_it() -> None:
    async with served() as stream:
        frame = bytes(1024 * 1024)
        for sent in range(1, 10):
            stream.stream.send(frame)
            await until(lambda sent=sent: len(stream.context.written) == sent)
        assert not stream.handler.is_lost


async def test_a_mistake_in_the_server_ends_the_connection_that_brought_it_about(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with served() as stream:
        stream.comes(POISON)
        await until(lambda: stream.over)
        assert stream.context.ended == (grpc.StatusCode.UNAVAILABLE, "the server failed")
    [told] = caplog.records
    assert told.exc_info is not None
    assert "a mistake in the server" in str(told.exc_info[1])


async def test_what_goes_over_the_wire_is_counted() -> None:
    async with served() as stream:
        wire = stream.telemetry.counters.wire
        stream.comes(b"ab")
        stream.comes(b"cde")
        await until(lambda: len(stream.handler.frames) == 2)
        stream.stops_reading()
        stream.stream.send(b"four")
        await until(lambda: wire.frames_out)
        assert (wire.frames_in, wire.bytes_in) == (2, 5)
        assert (wire.frames_out, wire.bytes_out) == (1, 4)
        stream.stream.send(b"wait!")
        assert wire.waiting_bytes() == [5]
        await until(lambda: wire.latency_us.count == 2)
        stream.loop.call_soon_threadsafe(stream.context.reading.set)
    assert wire.waiting_bytes() == [], "what was left for a stream that is over waits no more"
