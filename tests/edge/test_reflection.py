"""What the server tells tools that know no contract, and how often."""

from collections.abc import Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import repeat
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse
from support.connections import Lobby
from support.raw_client import in_thread

import ordago.journal.v1  # noqa: F401 - its messages are in this program, and nobody else's business
from ordago.edge import Edge

NAMES = ("grpc.reflection.v1", "grpc.reflection.v1alpha")

by_both_names = pytest.mark.parametrize("package", NAMES)


@asynccontextmanager
async def reflecting(*, reflection: bool = True) -> Any:
    async with Edge.open("127.0.0.1:0", Lobby().server, reflection=reflection) as edge:
        yield edge


@contextmanager
def asking(edge: Edge, requests: Iterable[bytes], package: str = NAMES[0]) -> Iterator[Any]:
    with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
        method: Any = channel.stream_stream(f"/{package}.ServerReflection/ServerReflectionInfo")
        yield method(iter(requests))


def reflected(edge: Edge, package: str = NAMES[0], **asked: Any) -> Any:
    with asking(edge, [ServerReflectionRequest(**asked).SerializeToString()], package) as answers:
        return ServerReflectionResponse.FromString(next(answers))


def files(response: Any) -> dict[str, FileDescriptorProto]:
    protos = map(FileDescriptorProto.FromString, response.file_descriptor_response.file_descriptor_proto)
    return {proto.name: proto for proto in protos}


@by_both_names
async def test_nobody_is_told_what_there_is_unless_it_was_asked_for(package: str) -> None:
    async with reflecting(reflection=False) as edge:
        with pytest.raises(grpc.RpcError) as error:
            await in_thread(lambda: reflected(edge, package, list_services=""))
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED  # type: ignore[attr-defined]


@by_both_names
async def test_a_server_tells_its_services_by_the_old_name_and_the_new(package: str) -> None:
    async with reflecting() as edge:
        listed = await in_thread(lambda: reflected(edge, package, list_services=""))
        assert [service.name for service in listed.list_services_response.service] == [
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
            "ordago.v1.BotService",
            "ordago.v1.GameService",
        ]


@pytest.mark.parametrize(
    ("symbol", "file"),
    [
        ("ordago.v1.BotService", "ordago/v1/bot_service.proto"),
        ("ordago.v1.BotService.Play", "ordago/v1/bot_service.proto"),
        ("ordago.v1.Hello.nonce", "ordago/v1/bot_service.proto"),
        ("ordago.v1.Answer.action_choice", "ordago/v1/decision.proto"),
        ("ordago.v1.FAULT_ILLEGAL", "ordago/v1/faults.proto"),
        ("ordago.v1.MusView", "ordago/v1/mus.proto"),
        ("grpc.health.v1.Health.Check", "health/v1/health.proto"),
    ],
)
async def test_symbols_of_every_kind_are_found(symbol: str, file: str) -> None:
    async with reflecting() as edge:
        found = files(await in_thread(lambda: reflected(edge, file_containing_symbol=symbol)))
        assert next(iter(found)).endswith(file), "the file that was asked for comes first"
        assert {needed for proto in found.values() for needed in proto.dependency} <= set(found), "and all it needs"
        assert set(files(await in_thread(lambda: reflected(edge, file_by_filename=next(iter(found)))))) == set(found)


@by_both_names
async def test_reflection_tells_of_itself(package: str) -> None:
    async with reflecting() as edge:
        symbol = f"{package}.ServerReflection.ServerReflectionInfo"
        found = files(await in_thread(lambda: reflected(edge, package, file_containing_symbol=symbol)))
        assert [proto.package for proto in found.values()] == [package]


@pytest.mark.parametrize(
    "symbol",
    [
        *("", ".", "Play", "ordago.v1", "ordago.v1.BotService.Dance", "x" * 60_000),
        *("ordago.v1.LadderService", "ordago.journal.v1.JournaledMatch"),
    ],
)
async def test_what_is_not_offered_is_not_found(symbol: str) -> None:
    """Not even what this program knows: its journal, a ladder that is not here."""
    async with reflecting() as edge:
        response = await in_thread(lambda: reflected(edge, file_containing_symbol=symbol))
        assert response.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]  # type: ignore[index]
        assert len(response.error_response.error_message) < 600


async def test_names_in_json_are_told() -> None:
    """So that a tool shows the same names by reflection as by the files of the contract."""
    async with reflecting() as edge:
        found = files(await in_thread(lambda: reflected(edge, file_containing_symbol="ordago.v1.BotService")))
    [hello] = [message for message in found["ordago/v1/bot_service.proto"].message_type if message.name == "Hello"]
    assert {field.name: field.json_name for field in hello.field}["max_open_decisions"] == "maxOpenDecisions"


async def test_of_extensions_there_are_none() -> None:
    async with reflecting() as edge:
        response = await in_thread(lambda: reflected(edge, all_extension_numbers_of_type="ordago.v1.Hello"))
        assert response.error_response.error_message == "the contract has no extensions"


async def test_what_is_no_question_ends_the_stream() -> None:
    async with reflecting() as edge:
        with asking(edge, [b"\xff"]) as answers:
            with pytest.raises(grpc.RpcError):
                await in_thread(next, answers)
            assert answers.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_questions_count_as_calls_however_few_streams_they_come_on() -> None:
    """A question of forty bytes is answered by forty thousand: whoever asks without end on one stream is stopped."""
    async with reflecting() as edge:
        question = ServerReflectionRequest(file_containing_symbol="ordago.v1.BotService").SerializeToString()
        with asking(edge, repeat(question)) as answers:
            heard, status = await in_thread(_count, answers)
    assert status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert 50 < heard < 500


def _count(answers: Any) -> tuple[int, grpc.StatusCode]:
    heard = 0
    try:
        for heard, _ in enumerate(answers, start=1):  # noqa: B007 - it is read after the end
            pass
    except grpc.RpcError:
        return heard, answers.code()
    return heard, grpc.StatusCode.OK
