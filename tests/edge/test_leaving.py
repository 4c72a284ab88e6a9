"""Bots that say hello and end their side of the stream in the same breath: it ends for both, without an error."""

import logging
from collections import Counter
from contextlib import ExitStack, suppress

import grpc
import pytest
import trio
from support.connections import Lobby
from support.frames import from_bot, hello

from ordago.edge import Edge

_CONNECTIONS, _BOTS_EACH = 10, 10
_OPTIONS = [("grpc.use_local_subchannel_pool", 1)]
_PATIENCE_SECONDS = 5.0


def _statuses(port: int) -> Counter[grpc.StatusCode]:
    """Let bots come and go, and return how their streams ended."""
    with ExitStack() as stack:
        address = f"127.0.0.1:{port}"
        channels = [stack.enter_context(grpc.insecure_channel(address, options=_OPTIONS)) for _ in range(_CONNECTIONS)]
        methods = [channel.stream_stream("/ordago.v1.BotService/Play") for channel in channels] * _BOTS_EACH
        calls = [method(iter([from_bot(hello())]), timeout=_PATIENCE_SECONDS) for method in methods]
        for call in calls:
            with suppress(grpc.RpcError):
                list(call)
        return Counter(call.code() for call in calls)


@pytest.mark.slow
async def test_a_stream_that_ends_with_its_hello_ends_well(caplog: pytest.LogCaptureFixture) -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        statuses = await trio.to_thread.run_sync(_statuses, edge.port)
    assert statuses == {grpc.StatusCode.OK: _CONNECTIONS * _BOTS_EACH}
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
