"""HTTP/1.1 as a site reads it: what could be read in two ways is refused, and there is no other protocol."""

from itertools import pairwise

import h11
import pytest

from ordago_web.serving.http import HEAD_BYTES, StrictConnection

HOST = b"Host: 127.0.0.1\r\n"
FRAMED = b"POST / HTTP/1.1\r\n" + HOST


def request(head: bytes, *, by: int = 1 << 20) -> h11.Request | int:
    """Return the request that a head makes, or the status by which it is refused; so many bytes come at a time."""
    connection = StrictConnection()
    try:
        for start, end in pairwise([*range(0, len(head), by), len(head)]):
            connection.receive_data(head[start:end])
            event = connection.next_event()
    except h11.RemoteProtocolError as error:
        return error.error_status_hint
    assert isinstance(event, h11.Request), "it is whole"
    return event


REFUSED = {
    "two lengths": (FRAMED + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
    "a list of lengths": (FRAMED + b"Content-Length: 1, 1\r\n\r\n", 400),
    "a length with a sign": (FRAMED + b"Content-Length: +1\r\n\r\n", 400),
    "no length": (FRAMED + b"Content-Length:\r\n\r\n", 400),
    "a length beside chunks": (FRAMED + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "chunks beside a length": (FRAMED + b"transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n", 400),
    "chunks": (FRAMED + b"Transfer-Encoding: chunked\r\n\r\n", 411),
    "chunks twice": (FRAMED + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "chunks of some kind": (FRAMED + b"Transfer-Encoding: \x0bchunked\r\n\r\n", 411),
    "two hosts": (FRAMED + b"Host: 127.0.0.1\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "a folded field": (FRAMED + b"X: a\r\n b\r\n\r\n", 400),
    "a folded first field": (b"GET / HTTP/1.1\r\n Host: a\r\n" + HOST + b"\r\n", 400),
    "lines without a return": (b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n", 400),
    "one line without a return": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\nX: a\r\n\r\n", 400),
    "a lone return": (FRAMED + b"X: a\rY: b\r\n\r\n", 400),
    "a space before a colon": (FRAMED + b"Content-Length : 1\r\n\r\n", 400),
    "a field without a name": (FRAMED + b": a\r\n\r\n", 400),
    "a NUL in a field": (FRAMED + b"X: a\0b\r\n\r\n", 400),
    "a NUL in the target": (b"GET /\0 HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "a space in the target": (b"GET / a HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "an address of elsewhere": (b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "an address of here": (b"GET http://127.0.0.1/ HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "everything": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "a tunnel": (b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "HTTP/2 that is assumed": (b"PRI * HTTP/2.0\r\n\r\n", 505),
    "HTTP/3": (b"GET / HTTP/3.0\r\n" + HOST + b"\r\n", 505),
    "HTTP/0.9": (b"GET /\r\n\r\n", 400),
    "a head that is too long": (FRAMED + b"X: " + b"a" * HEAD_BYTES + b"\r\n\r\n", 431),
    "a target that is too long": (b"GET /" + b"a" * HEAD_BYTES + b" HTTP/1.1\r\n" + HOST + b"\r\n", 431),
    "spaces that are too many": (FRAMED + b"X:" + b" " * HEAD_BYTES + b"\r\n\r\n", 431),
    "a head that never ends": (FRAMED + b"X: " + b"a" * HEAD_BYTES, 431),
    "too many fields": (FRAMED + b"a:\r\n" * 200 + b"\r\n", 431),
}  # fmt: skip


@pytest.mark.parametrize("by", [1 << 20, 7], ids=["at once", "in pieces"])
@pytest.mark.parametrize(("head", "status"), REFUSED.values(), ids=REFUSED)
def test_what_can_be_read_in_two_ways_or_is_too_much_is_refused(head: bytes, status: int, by: int):
    assert request(head, by=by) == status


@pytest.mark.slow
@pytest.mark.parametrize("by", [1 << 20, 7, 1], ids=["at once", "in pieces", "byte by byte"])
def test_the_longest_head_is_taken(by: int):
    start = FRAMED + b"X: "
    assert isinstance(request(start + b"a" * (HEAD_BYTES - len(start) - 4) + b"\r\n\r\n", by=by), h11.Request)
    assert request(start + b"a" * (HEAD_BYTES - len(start) - 3) + b"\r\n\r\n", by=by) == 431


@pytest.mark.parametrize("protocol", [b"h2c", b"websocket", b"h2c, websocket"])
def test_a_wish_for_another_protocol_is_not_heard(protocol: bytes):
    head = FRAMED + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: " + protocol + b"\r\nHTTP2-Settings: AA\r\n\r\n"
    found = request(head)
    assert isinstance(found, h11.Request)
    assert not {b"upgrade", b"http2-settings"} & {name for name, _ in found.headers}


def test_a_body_and_the_request_behind_it_are_read():
    connection = StrictConnection()
    connection.receive_data(FRAMED + b"Content-Length: 3\r\n\r\n\n\r\n" + FRAMED + b"\r\n")
    kinds = [type(connection.next_event()) for _ in range(3)]
    assert kinds == [h11.Request, h11.Data, h11.EndOfMessage]
    connection.send(h11.Response(status_code=204, headers=[]))
    connection.send(h11.EndOfMessage())
    connection.start_next_cycle()
    assert isinstance(connection.next_event(), h11.Request)
