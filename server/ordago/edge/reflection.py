"""gRPC server reflection: descriptions of our services for tools like grpcurl."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeVar

import grpc
import grpc.aio
from google.protobuf import text_format
from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import Default, DescriptorPool
from google.protobuf.message import DecodeError
from grpc_reflection.v1alpha import reflection_pb2 as messages
from grpc_reflection.v1alpha.reflection import SERVICE_NAME as OLD_NAME

from ordago.edge.call_gate import CallGate
from ordago.edge.stream import LONGEST_SENTENCE, Context

NEW_NAME: Final = OLD_NAME.replace("v1alpha", "v1")
"""The newer name of the same service: only the package differs, not the messages on the wire."""
_METHOD: Final = "ServerReflectionInfo"

T = TypeVar("T")


class Reflection:
    """Handlers of reflection for some services, and for nothing else in this program. Used in grpc's thread."""

    def __init__(self, gate: CallGate, services: Sequence[str]) -> None:
        """Describe these services, and reflection itself under both its names."""
        self._gate = gate
        self._names = (*services, NEW_NAME, OLD_NAME)
        self._pool = DescriptorPool()
        for name in (*services, OLD_NAME):
            _add(self._pool, Default().FindFileContainingSymbol(name))
        self._pool.Add(_renamed(Default().FindFileContainingSymbol(OLD_NAME)))
        self._files = cache(_with_imports)
        """A cached function that returns a file and its imports, serialized."""
        tell: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._tell)
        self.handlers = tuple(
            grpc.method_handlers_generic_handler(name, {_METHOD: tell}) for name in (NEW_NAME, OLD_NAME)
        )
        """The handlers to register with a server."""

    async def _tell(self, _requests: object, context: Context) -> None:
        """Answer the questions of one stream. Each counts as a call: an answer is a thousand times as long."""
        await self._gate.let_in(context)
        while isinstance(asked := await context.read(), bytes):
            await self._gate.let_ask(context)
            await context.write(await self._answer(asked, context))

    async def _answer(self, asked: bytes, context: Context) -> bytes:
        try:
            request = messages.ServerReflectionRequest.FromString(asked)
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "this is no ServerReflectionRequest")
        return self._response(request).SerializeToString()

    def _response(self, request: messages.ServerReflectionRequest) -> messages.ServerReflectionResponse:
        kind = request.WhichOneof("message_request")
        if kind == "list_services":
            names = [messages.ServiceResponse(name=name) for name in sorted(self._names)]
            answer: dict[str, Any] = {"list_services_response": messages.ListServiceResponse(service=names)}
        elif kind in ("file_by_filename", "file_containing_symbol"):
            answer = self._file_response(getattr(request, kind))
        else:
            answer = _error(grpc.StatusCode.NOT_FOUND, "the contract has no extensions")
        return messages.ServerReflectionResponse(valid_host=request.host, original_request=request, **answer)

    def _file_response(self, asked: str) -> dict[str, Any]:
        file = _found(self._pool.FindFileByName, asked) or self._file_of_symbol(asked)
        if file is None:
            return _error(grpc.StatusCode.NOT_FOUND, f"no such name here: {asked[:LONGEST_SENTENCE]}")
        return {"file_descriptor_response": messages.FileDescriptorResponse(file_descriptor_proto=self._files(file))}

    def _file_of_symbol(self, name: str) -> FileDescriptor | None:
        """Return the file of a symbol; or ``None``. Pools do not find methods, so methods need a second step."""
        service, _, method = name.rpartition(".")
        file = _found(self._pool.FindFileContainingSymbol, name)
        if file is not None or not service:
            return file
        descriptor = _found(self._pool.FindServiceByName, service)
        return descriptor.file if descriptor is not None and method in descriptor.methods_by_name else None


def _found(find: Callable[[str], T], name: str) -> T | None:
    """Return the result of a pool's look-up; ``None`` if it finds nothing."""
    try:
        return find(name)
    except KeyError:
        return None


def _add(pool: DescriptorPool, file: FileDescriptor) -> None:
    """Add a file to a pool, after its imports."""
    for needed in _needs(file, {}):
        pool.Add(_proto(needed))


def _needs(file: FileDescriptor, seen: dict[str, FileDescriptor]) -> Iterator[FileDescriptor]:
    """Yield the imports of a file, each once and after its own imports, and then the file."""
    if file.name in seen:
        return
    seen[file.name] = file
    for needed in file.dependencies:
        yield from _needs(needed, seen)
    yield file


def _with_imports(file: FileDescriptor) -> tuple[bytes, ...]:
    """Return a file and its imports, serialized; the file itself goes first, as tools expect."""
    return tuple(_proto(needed).SerializeToString() for needed in reversed(tuple(_needs(file, {}))))


def _proto(file: FileDescriptor) -> FileDescriptorProto:
    proto = FileDescriptorProto()
    file.CopyToProto(proto)
    for message in proto.message_type:
        _name_for_json(message, file.message_types_by_name[message.name])
    return proto


def _name_for_json(message: DescriptorProto, descriptor: Descriptor) -> None:
    """Set the JSON names of a message's fields. Python leaves them out, and tools then show other names."""
    for field in message.field:
        field.json_name = descriptor.fields_by_name[field.name].json_name
    for nested in message.nested_type:
        _name_for_json(nested, descriptor.nested_types_by_name[nested.name])


def _renamed(file: FileDescriptor) -> FileDescriptorProto:
    """Return the file of the reflection service with its new name in place of the old one."""
    text = text_format.MessageToString(_proto(file)).replace("v1alpha", "v1")
    return text_format.Parse(text, FileDescriptorProto())


def _error(code: grpc.StatusCode, sentence: str) -> dict[str, Any]:
    number: Any = code.value
    return {"error_response": messages.ErrorResponse(error_code=number[0], error_message=sentence)}
