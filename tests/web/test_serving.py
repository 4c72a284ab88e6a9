"""The web server over loopback: what strangers send ends their own connection at most."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, ExitStack, suppress
from functools import partial

import pytest
import trio
from h2.config import H2Configuration
from h2.connection import H2Connection

from ordago_web.connections import Connections
from ordago_web.house import House
from ordago_web.listener import Place, listening
from ordago_web.pages import Pages
from ordago_web.serving import serve_site
from ordago_web.site import site

MOST = 5
PLACE = Place(address="127.0.0.1:0")
HEADERS = {":method": "GET", ":path": "/health", ":scheme": "http", ":authority": "127.0.0.1"}
PLAIN = H2Configuration(validate_outbound_headers=False, normalize_outbound_headers=False)


@pytest.fixture
async def port(nursery: trio.Nursery) -> AsyncIterator[int]:
    with listening(PLACE.address) as listener:
        pages = site(House(pages=Pages()))
        bound = Connections(of_one=MOST)
        nursery.start_soon(partial(serve_site, pages, listener, PLACE, until=trio.sleep_forever, bound=bound))
        yield listener.getsockname()[1]
        nursery.cancel_scope.cancel()


def begun(*headers: tuple[str, str | bytes]) -> H2Connection:
    """Return the client's side of a connection of HTTP/2, with a request of these headers in place of usual ones."""
    connection = H2Connection(PLAIN)
    connection.initiate_connection()
    if headers:
        connection.send_headers(1, list({**HEADERS, **dict(headers)}.items()), end_stream=True)
    return connection


def many_priorities() -> H2Connection:
    connection = begun()
    for number in range(1, 3000, 2):
        connection.prioritize(number, weight=16)
    return connection


def a_tunnel() -> H2Connection:
    connection = begun()
    connection.send_headers(1, [(":method", "CONNECT"), (":authority", "127.0.0.1:1")])
    return connection


def over_http_2(make: Callable[[], H2Connection]) -> bytes:
    return make().data_to_send()


HOSTILE = {
    "a path of no letters": over_http_2(partial(begun, (":path", b"/\xff"))),
    "a method of no letters": over_http_2(partial(begun, (":method", b"\xff"))),
    "more priorities than streams": over_http_2(many_priorities),
    "a tunnel to elsewhere": over_http_2(a_tunnel),
    "an upgrade with settings of no letters": (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\n"
        b"Upgrade: h2c\r\nHTTP2-Settings: \xff\r\n\r\n"
    ),
    "no HTTP": b"\x00\xff" * 100,
}


async def answered(port: int) -> bytes:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return b"".join([part async for part in stream])


@pytest.mark.parametrize("sent", HOSTILE.values(), ids=HOSTILE)
async def test_what_a_stranger_sends_ends_nothing_but_his_connection(port: int, sent: bytes):
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(sent)
        with trio.move_on_after(0.5), suppress(trio.BrokenResourceError):
            async for _ in stream:
                pass
        assert b'{"status":"ok"}' in await answered(port)


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


async def test_a_refusal_of_a_socket_of_the_web_that_goes_wrong_is_no_failure(port: int, caplog):
    upgrade = (
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x85abcd"
    )
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(upgrade)
        with trio.move_on_after(0.5), suppress(trio.BrokenResourceError):
            async for _ in stream:
                pass
    assert not caplog.records


def test_connections_are_counted_for_each_address_and_in_all():
    bound = Connections(of_one=2, in_all=3)
    with ExitStack() as opened:
        came = [opened.enter_context(bound.counted(origin)) for origin in ("a", "a", "a", "b", "b")]
        assert came == [True, True, False, True, False]
    with bound.counted("a") as is_welcome:
        assert is_welcome, "who has gone makes room"
