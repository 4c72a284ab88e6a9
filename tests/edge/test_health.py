"""What the server says of itself by the services that all gRPC servers may have."""

from typing import Any

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
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


def reflected(edge: Edge, request: reflection_pb2.ServerReflectionRequest) -> Any:
    with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        return next(iter(stub.ServerReflectionInfo(iter([request]))))


async def test_nobody_is_told_what_there_is_unless_it_was_asked_for() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        with pytest.raises(grpc.RpcError) as error:
            await in_thread(reflected, edge, reflection_pb2.ServerReflectionRequest(list_services=""))
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED  # type: ignore[attr-defined]


async def test_a_server_tells_its_services_and_their_messages() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server, reflection=True) as edge:
        listed = await in_thread(reflected, edge, reflection_pb2.ServerReflectionRequest(list_services=""))
        names = {service.name for service in listed.list_services_response.service}
        assert {"ordago.v1.BotService", "ordago.v1.GameService", "grpc.health.v1.Health"} <= names
        symbol = reflection_pb2.ServerReflectionRequest(file_containing_symbol="ordago.v1.BotService")
        found = await in_thread(reflected, edge, symbol)
        assert any(b"PlayRequest" in file for file in found.file_descriptor_response.file_descriptor_proto)
