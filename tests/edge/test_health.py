"""What the server says of its health."""

from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from support.connections import Lobby
from support.processes import PATIENCE_SECONDS
from support.raw_client import in_thread

from ordago.edge import Edge

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def health(edge: Edge, service: str) -> Any:
    with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
        return health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service)).status


@pytest.mark.parametrize("service", ["", "ordago.v1.BotService"])
async def test_a_server_is_serving_until_it_goes_down(service: str) -> None:
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
            assert await in_thread(health, edge, service) == SERVING
            edge.stop_inviting()
            while await in_thread(health, edge, service) == SERVING:  # noqa: ASYNC110 - no event crosses the wire
                await trio.sleep(0.01)
            assert await in_thread(health, edge, service) == NOT_SERVING


async def test_nothing_is_known_of_other_services() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        with pytest.raises(grpc.RpcError) as error:
            await in_thread(health, edge, "ordago.v1.NoService")
        assert error.value.code() is grpc.StatusCode.NOT_FOUND  # type: ignore[attr-defined]


async def test_to_stop_inviting_after_the_end_does_no_harm() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        pass
    edge.stop_inviting()
