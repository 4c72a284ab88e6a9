"""Pings of a client, frame by frame on the wire: no library of HTTP/2 would send them as fast as this."""

import trio
from support.connections import Lobby
from support.http2 import ACKNOWLEDGED, GOAWAY, PING, PREFACE, SETTINGS, frame, frames
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


def answers(heard: bytes) -> set[bytes]:
    """Return what pings were answered."""
    return {payload for kind, flags, _, payload in frames(heard) if (kind, flags) == (PING, ACKNOWLEDGED)}
