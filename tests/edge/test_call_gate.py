"""Who wears the server down by calls and connections, over real gRPC: he is held to his bounds, and others play on."""

import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from support.connections import Lobby
from support.frames import from_bot, hello
from support.http2 import (
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW_SIZE,
    LIST_GAMES,
    PREFACE,
    SETTINGS,
    frame,
    headers,
    message,
    setting,
)
from support.processes import PATIENCE_SECONDS, until
from support.raw_client import RawClient, in_thread, raw_client

from ordago import v1
from ordago.edge import Edge
from ordago.edge.server import _transport_bounds
from ordago.edge.transports import MOST_CONNECTIONS, TransportBounds

BEGINNING = PREFACE + frame(SETTINGS)


@asynccontextmanager
async def open_lobby() -> AsyncIterator[tuple[Lobby, Edge]]:
    lobby = Lobby()
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server) as edge:
            yield lobby, edge


async def test_a_connection_has_only_so_many_streams() -> None:
    """Clients that are told so wait by themselves; these share a connection, as all of a process do."""
    async with open_lobby() as (lobby, edge):
        clients = [RawClient(edge.port, shares=True) for _ in range(17)]
        for client in clients:
            client.say(from_bot(hello()))
        await until(lambda: len(lobby.bots) == 16)
        await trio.sleep(0.1)
        assert len(lobby.bots) == 16
        clients[0].call.cancel()
        clients[1].call.cancel()
        await until(lambda: len(lobby.bots) >= 17)
        for client in clients:
            client.close()


@pytest.mark.parametrize(("length", "taken"), [(6_000, True), (40_000, False)])
async def test_metadata_has_its_bounds(*, length: int, taken: bool) -> None:
    async with open_lobby() as (lobby, edge), raw_client(edge.port, token="x" * length) as client:
        client.say(from_bot(hello()))
        heard = await in_thread(client.hear_if_any)
        assert bool(heard) == bool(lobby.bots) == taken


@pytest.mark.parametrize(
    ("files", "wanted", "in_all", "idle"),
    [
        (resource.RLIM_INFINITY, MOST_CONNECTIONS, 4096, 1024),
        (resource.RLIM_INFINITY, 20_000, 20_000, 1024),
        (8192, 20_000, 8064, 1024),
        (1024, MOST_CONNECTIONS, 896, 224),
        (64, MOST_CONNECTIONS, 1, 1),
    ],
)
def test_there_are_no_more_connections_than_open_files(
    monkeypatch: pytest.MonkeyPatch, files: int, wanted: int, in_all: int, idle: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    bounds = _transport_bounds(wanted)
    assert (bounds.in_all, bounds.idle) == (in_all, idle)


async def test_watches_are_not_there() -> None:
    async with open_lobby() as (_, edge):
        with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            with pytest.raises(grpc.RpcError) as error:
                await in_thread(list, watch)
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED  # type: ignore[attr-defined]


def codes(port: int, *, calls: int) -> list[grpc.StatusCode]:
    """Ask for the games again and again, each time on a connection of its own as far as there is one.

    Who is refused and not told when to come back counts as UNKNOWN.
    """
    found = []
    for begun in range(0, calls, 50):
        options = [("grpc.use_local_subchannel_pool", 1)]
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            method: Any = channel.unary_unary(LIST_GAMES)
            for _ in range(begun, begun + 50):
                try:
                    method(b"")
                    found.append(grpc.StatusCode.OK)
                except grpc.RpcError as error:
                    told = dict(error.trailing_metadata())  # type: ignore[attr-defined]
                    found.append(error.code() if "retry-after-ms" in told else grpc.StatusCode.UNKNOWN)  # type: ignore[attr-defined]
    return found


async def test_whoever_asks_too_often_is_told_so_and_those_who_play_are_not() -> None:
    async with open_lobby() as (lobby, edge):
        found = await in_thread(partial(codes, edge.port, calls=200))
        assert grpc.StatusCode.OK in found[:100]
        assert set(found[:100]) == {grpc.StatusCode.OK}
        assert set(found[100:]) <= {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert grpc.StatusCode.RESOURCE_EXHAUSTED in found[100:]
        assert lobby.server.telemetry.counters.gate.calls_refused == found.count(grpc.StatusCode.RESOURCE_EXHAUSTED)
        async with raw_client(edge.port) as client:
            client.say(from_bot(hello()))
            assert isinstance((await in_thread(client.hear))[0], v1.Welcome)


async def test_answers_that_are_not_taken_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lets no answer come keeps it in our memory: an address can do so with some, and then with none."""
    monkeypatch.setattr("ordago.edge.call_gate._OPEN_CALLS", 8)
    async with open_lobby() as (lobby, edge):
        deaf = await deaf_client(edge.port, calls=12)
        async with deaf:
            await until(lambda: lobby.server.telemetry.counters.gate.calls_refused == 4)
            assert sum(edge._gate._open.values()) == 8
        await until(lambda: not edge._gate._open)


async def deaf_client(port: int, *, calls: int) -> trio.SocketStream:
    """Return a connection on which so many calls were made and no byte of an answer may come."""
    client = await trio.open_tcp_stream("127.0.0.1", port)
    await client.send_all(PREFACE + frame(SETTINGS, setting(INITIAL_WINDOW_SIZE, 0)))
    for stream in range(1, 2 * calls, 2):
        asked = frame(HEADERS, headers(LIST_GAMES), stream=stream, flags=END_HEADERS)
        await client.send_all(asked + frame(DATA, message(), stream=stream, flags=END_STREAM))
    return client


@pytest.mark.parametrize("begun", [b"", b"\x16", BEGINNING[:10], BEGINNING], ids=["nothing", "a byte", "a part", "all"])
async def test_a_connection_on_which_nothing_is_asked_is_shut(monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr("ordago.edge.server.TransportBounds", partial(TransportBounds, idle_seconds=0.3))
    async with open_lobby() as (lobby, edge), raw_client(edge.port) as honest:
        honest.say(from_bot(hello()))
        await in_thread(honest.hear)
        client = await trio.open_tcp_stream("127.0.0.1", edge.port)
        async with client:
            await client.send_all(begun)
            with trio.fail_after(5):
                # Whatever grpc says before.
                while await client.receive_some():
                    pass
        assert lobby.bots[0].connected


@pytest.mark.slow
async def test_however_many_connections_keep_silent_a_newcomer_comes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = partial(TransportBounds, idle_of_one=10, idle=20)
    monkeypatch.setattr("ordago.edge.server.TransportBounds", partial(bounds, in_all=50))
    async with open_lobby() as (lobby, edge), trio.open_nursery() as nursery:
        nursery.start_soon(crowd, edge.port)
        await until(lambda: lobby.server.telemetry.counters.gate.shut)
        for number in range(5):
            # As a new process each time: it may be that it comes just when there is no room, and comes again.
            while len(lobby.bots) <= number:
                async with raw_client(edge.port) as client:
                    client.say(from_bot(hello(nonce=number.to_bytes(16))))
                    await in_thread(client.hear_if_any)
        nursery.cancel_scope.cancel()


async def crowd(port: int) -> None:
    """Hold as many connections as there may be, and open new ones for those that are shut."""
    async with trio.open_nursery() as nursery:

        async def hold() -> None:
            while True:
                try:
                    client = await trio.open_tcp_stream("127.0.0.1", port)
                    async with client:
                        await client.send_all(BEGINNING)
                        while await client.receive_some():
                            pass
                except (OSError, trio.BrokenResourceError):
                    await trio.sleep(0.01)

        for _ in range(60):
            nursery.start_soon(hold)
