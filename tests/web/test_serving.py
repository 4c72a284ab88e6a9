"""The web server over loopback: what strangers send ends their own connection at most."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from support.certificates import Files
from support.http2 import PREFACE, PRIORITY, SETTINGS, frame

from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.serving.listener import Place, listening
from ordago_web.serving.server import Connections, serve_site
from ordago_web.site import site

MOST = 5
PLACE = Place(address="127.0.0.1:0")
MOST_STEP_SECONDS = 0.1
"""A page takes some milliseconds of a processor; the floods took 0.2 to 75 s."""


@pytest.fixture
async def port(nursery: trio.Nursery) -> AsyncIterator[int]:
    with listening(PLACE.address) as listener:
        pages = site(AppContext(pages=Pages()))
        bound = Connections(of_one=MOST)
        nursery.start_soon(partial(serve_site, pages, listener, PLACE, until=trio.sleep_forever, bound=bound))
        yield listener.getsockname()[1]
        nursery.cancel_scope.cancel()


def upgrading(*fields: bytes) -> bytes:
    return b"\r\n".join(
        (b"GET /health HTTP/1.1", b"Host: 127.0.0.1", b"Connection: Upgrade, HTTP2-Settings", *fields, b"", b"")
    )


PRIORITIES = b"".join(frame(PRIORITY, bytes(4) + b"\x10", stream=1 + 2 * (number % 900)) for number in range(10_000))
"""Streams of one parent, named again and again: whoever keeps a tree of them can sort it anew each time."""
OVER_HTTP_2 = PREFACE + frame(SETTINGS) + PRIORITIES
TO_HTTP_2 = upgrading(b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__")
TO_WEBSOCKETS = upgrading(
    b"Upgrade: websocket", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
)
CHUNKED = b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
HOSTILE = {
    "HTTP/2 that is assumed": OVER_HTTP_2,
    "an upgrade to HTTP/2": TO_HTTP_2 + OVER_HTTP_2,
    "an upgrade with settings of no letters": upgrading(b"Upgrade: h2c", b"HTTP2-Settings: \xff"),
    "an upgrade to WebSockets that goes wrong": TO_WEBSOCKETS + b"\x81\x85abcd" * 10_000,
    "a path of no letters": b"GET /\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "a tunnel to elsewhere": b"CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + b"x" * 50_000,
    "chunks of a byte each": CHUNKED + b"1\r\na\r\n" * 20_000,
    "chunks with much beside": CHUNKED + (b"1;" + b"x" * 16_000 + b"\r\na\r\n") * 8,
    "fields behind a body": CHUNKED + b"0\r\n" + b"a:\r\n" * 4000 + b"\r\n",
    "thousands of fields": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a:\r\n" * 4000 + b"\r\n",
    "many requests at once": b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 500,
    "a body that never ends": b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999999\r\n\r\n" + b"x" * 100_000,
    "not HTTP": b"\x00\xff" * 100,
}  # fmt: skip


class LongestStep(trio.abc.Instrument):
    """For how long a task had the processor at most, while which nobody else is answered."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = time.thread_time()

    def before_task_step(self, _task: trio.lowlevel.Task) -> None:
        self._began = time.thread_time()

    def after_task_step(self, _task: trio.lowlevel.Task) -> None:
        self.seconds = max(self.seconds, time.thread_time() - self._began)


NEIGHBOUR = "127.0.0.2"
"""Another address than the stranger's, with a rate limit of its own."""


async def answered(port: int, *, source: str | None = None) -> bytes:
    async with await trio.open_tcp_stream("127.0.0.1", port, local_address=source) as stream:
        await stream.send_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return b"".join([part async for part in stream])


@pytest.mark.parametrize("sent", HOSTILE.values(), ids=HOSTILE)
async def test_what_a_stranger_sends_ends_nothing_but_his_connection_and_holds_up_nobody(port: int, sent: bytes):
    await answered(port, source=NEIGHBOUR)
    step = LongestStep()
    trio.lowlevel.add_instrument(step)
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        with trio.move_on_after(0.5), suppress(trio.BrokenResourceError):
            await stream.send_all(sent)
            async for _ in stream:
                pass
        assert b'{"status":"ok"}' in await answered(port, source=NEIGHBOUR)
    trio.lowlevel.remove_instrument(step)
    assert step.seconds < MOST_STEP_SECONDS


async def begins(port: int, sent: bytes) -> bytes:
    """Return the first line of an answer."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(sent)
        return bytes(await stream.receive_some(4096)).partition(b"\r\n")[0]


async def test_no_connection_goes_on_by_another_protocol(port: int):
    assert await begins(port, PREFACE) == b"HTTP/1.1 505 "
    assert await begins(port, TO_HTTP_2) == b"HTTP/1.1 200 "
    assert await begins(port, TO_WEBSOCKETS) == b"HTTP/1.1 200 "
    assert await begins(port, CHUNKED) == b"HTTP/1.1 411 "


async def test_over_tls_a_browser_is_offered_http_1_alone(tmp_path: Path, nursery: trio.Nursery):
    files = Files(tmp_path)
    place = Place(address="127.0.0.1:0", certificate=files.certificate, key=files.key)
    tls = files.trusting()
    tls.set_alpn_protocols(["h2", "http/1.1"])
    with listening(place.address) as listener:
        nursery.start_soon(
            partial(serve_site, site(AppContext(pages=Pages())), listener, place, until=trio.sleep_forever)
        )
        port = listener.getsockname()[1]
        async with await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=tls) as stream:
            await stream.do_handshake()
            assert stream.selected_alpn_protocol() == "http/1.1"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("sent", [b"", b"GET /health HTTP/1.1\r\n"], ids=["nothing", "half a request"])
async def test_an_address_has_no_more_connections_than_it_may(port: int, sent: bytes):
    async with AsyncExitStack() as opened:
        for _ in range(MOST):
            stream = await opened.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port))
            await stream.send_all(sent)
        with suppress(trio.BrokenResourceError):
            assert await answered(port) == b""
    with trio.fail_after(5):
        # Those that were ended make room before they would have been idle for too long.
        assert await answered_again(port)


async def answered_again(port: int) -> bool:
    for _ in range(40):
        with suppress(trio.BrokenResourceError):
            if await answered(port):
                return True
        await trio.sleep(0.05)
    return False


def test_connections_are_counted_for_each_address_and_in_all():
    bound = Connections(of_one=2, in_all=3)
    with ExitStack() as opened:
        came = [opened.enter_context(bound.counted(origin)) for origin in ("a", "a", "a", "b", "b")]
        assert came == [True, True, False, True, False]
    with bound.counted("a") as is_welcome:
        assert is_welcome, "who has gone makes room"
