"""What a server tells of its events by their names, on the wire."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import grpc
import pytest
from support.connections import Lobby
from support.raw_client import in_thread

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.event_router import EventEntry, EventRouter
from ordago.arena.server import Server
from ordago.edge import Edge

FRIDAY = v1.DescribeEventResponse(event="friday", commitment=b"c" * 32)
TABLES = v1.DescribeEventResponse(event="tables/1")

Asking = Callable[[bytes], bytes]


def named(event: str) -> bytes:
    """Return the question for an event."""
    return v1.DescribeEventRequest(event=event).SerializeToString()


@asynccontextmanager
async def asking() -> AsyncIterator[Asking]:
    """Give what asks a server on which one event is open, and one is about to be."""
    router = EventRouter(Lobby().server, lambda: TABLES)
    router.promise("soon")
    server = Server(AllowEverybody(lambda _: None), games=["mittlere"], clock=router.clock)
    with router.opened("friday", EventEntry(server, FRIDAY)):
        async with Edge.open("127.0.0.1:0", router, event=router.described) as edge:
            with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
                ask: Asking = channel.unary_unary("/ordago.v1.GameService/DescribeEvent")
                yield ask


async def test_an_event_is_described_by_its_name_and_what_is_always_played_without_one() -> None:
    async with asking() as ask:
        for name, described in (("friday", FRIDAY), ("", TABLES)):
            answer = await in_thread(ask, named(name))
            assert v1.DescribeEventResponse.FromString(answer) == described


@pytest.mark.parametrize(
    ("asked", "status", "words", "metadata"),
    [
        (
            v1.DescribeEventRequest(event="monday").SerializeToString(),
            "NOT_FOUND",
            "no event 'monday' is open here",
            (),
        ),
        (
            v1.DescribeEventRequest(event="soon").SerializeToString(),
            "UNAVAILABLE",
            "about to continue",
            (("retry-after-ms", "1000"),),
        ),
        (b"\xff" * 100, "INVALID_ARGUMENT", "this is no DescribeEventRequest", ()),
    ],
)
async def test_what_is_not_described_is_told(
    asked: bytes, status: str, words: str, metadata: tuple[object, ...]
) -> None:
    async with asking() as ask:
        with pytest.raises(grpc.RpcError) as refused:
            await in_thread(partial(ask, asked))
    call = refused.value
    assert isinstance(call, grpc.Call)
    assert call.code() is grpc.StatusCode[status]
    assert words in call.details()
    assert tuple(map(tuple, call.trailing_metadata())) == metadata
