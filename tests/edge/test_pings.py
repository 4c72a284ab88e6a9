"""Pings of a client and of the server, frame by frame on the wire: no library of HTTP/2 would do or tell it."""

import trio
from support.connections import Lobby
from support.http2 import (
    ACKNOWLEDGED,
    CHECK,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PING,
    PREFACE,
    SETTINGS,
    frame,
    frames,
    headers,
    message,
)
from support.processes import PATIENCE_SECONDS

from ordago.edge import Edge


async def test_a_client_whose_pings_come_all_at_once_is_not_cut_off() -> None:
    """So they come when a machine stood still, between a client and the server or at either end."""
    pings = [number.to_bytes(8) for number in range(20)]
    heard = b""
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        client = await trio.open_tcp_stream("127.0.0.1", edge.port)
        async with client:
            await client.send_all(PREFACE + frame(SETTINGS) + b"".join(frame(PING, ping) for ping in pings))
            with trio.fail_after(PATIENCE_SECONDS):
                while not answers(heard) >= set(pings) and (more := await client.receive_some()):
                    heard += more
    assert answers(heard) >= set(pings)
    assert GOAWAY not in {kind for kind, _, _, _ in frames(heard)}


async def test_who_asks_for_something_is_not_pinged_for_it() -> None:
    """gRPC would find out by pings how much may be on its way at once: one for nearly each message of many bots."""
    last = b"the last"
    question = frame(DATA, message(), stream=1, flags=END_STREAM)
    call = frame(HEADERS, headers(CHECK), stream=1, flags=END_HEADERS) + question
    heard = b""
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        client = await trio.open_tcp_stream("127.0.0.1", edge.port)
        async with client:
            await client.send_all(PREFACE + frame(SETTINGS) + call)
            with trio.fail_after(PATIENCE_SECONDS):
                while not is_over(heard) and (more := await client.receive_some()):
                    heard += more
                # Whatever was to be said to the call is said before this is answered.
                await client.send_all(frame(PING, last))
                while last not in answers(heard) and (more := await client.receive_some()):
                    heard += more
    assert is_over(heard)
    assert not [payload for kind, flags, _, payload in frames(heard) if kind == PING and not flags & ACKNOWLEDGED]


def is_over(heard: bytes) -> bool:
    """Say whether the call of the first stream was answered to its end."""
    return any(stream == 1 and kind == HEADERS and flags & END_STREAM for kind, flags, stream, _ in frames(heard))


def answers(heard: bytes) -> set[bytes]:
    """Return what pings were answered."""
    return {payload for kind, flags, _, payload in frames(heard) if (kind, flags) == (PING, ACKNOWLEDGED)}
