"""A ladder that is read in tests, and clients that ask for it."""

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import grpc
import trio
from support.connections import Lobby
from support.processes import PATIENCE_SECONDS

from ordago import v1
from ordago.arena.tables.watched import WatchedMatches
from ordago.edge import Edge
from ordago.edge.services import ladder_services
from ordago.record import to_file_bytes
from ordago.store.errors import NotFoundError, NotOpenError
from ordago.v1.ladder_service_pb2_grpc import LadderServiceStub
from ordago.v1.match_service_pb2_grpc import MatchServiceStub


class FakeReader:
    """Answers each call by what it was told to, and notes the calls and in which thread they came."""

    def __init__(self, **answers: Any) -> None:
        """Give these answers, by the names of the methods: messages, errors, or functions of the request."""
        self.answers = answers
        self.records: dict[str, v1.MatchRecord | Exception] = {}
        """The records by their matches, or why there is none."""
        self.closed: set[str] = set()
        """The matches whose records are not open."""
        self.asked: list[Any] = []
        self.threads: set[str] = set()

    def get_record(self, request: v1.GetRecordRequest) -> v1.GetRecordResponse:
        """Give a record."""
        record = self.records.get(request.match_id, NotFoundError(f"there is no match {request.match_id!r}"))
        if isinstance(record, Exception):
            raise record
        if request.match_id in self.closed:
            raise NotOpenError(f"the record of match {request.match_id!r} is not open")
        return v1.GetRecordResponse(file=to_file_bytes(record))

    def record_to_watch(self, match_id: str) -> bytes:
        """Give a record whose public events may be shown."""
        record = self.records.get(match_id, NotFoundError(f"there is no match {match_id!r}"))
        if isinstance(record, Exception):
            raise record
        return to_file_bytes(record)

    def __getattr__(self, name: str) -> Callable[[Any], Any]:
        def answer(request: Any) -> Any:
            self.asked.append(request)
            self.threads.add(threading.current_thread().name)
            found = self.answers[name]
            if isinstance(found, Exception):
                raise found
            return found(request) if callable(found) else found

        return answer


@contextmanager
def stubs(port: int, *, token: str = "") -> Iterator[tuple[Any, Any]]:
    """Ask a server: by the stub of the ladder, and that of its matches."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        if token:
            channel = grpc.intercept_channel(channel, _WithToken(token))
        yield LadderServiceStub(channel), MatchServiceStub(channel)


class _WithToken(grpc.UnaryUnaryClientInterceptor):  # type: ignore[misc]  # the stubs know no type of it
    def __init__(self, token: str) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),)

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(details._replace(metadata=self._metadata), request)


@asynccontextmanager
async def open_ladder(
    reader: FakeReader, watched: WatchedMatches | None = None, **options: Any
) -> AsyncIterator[tuple[Edge, Lobby]]:
    """Serve a ladder over real gRPC."""
    lobby, watched = Lobby(), watched or WatchedMatches()
    with trio.fail_after(PATIENCE_SECONDS):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watched.keep)
            services = ladder_services(reader, watched, reader.get_status, **options)
            async with Edge.open("127.0.0.1:0", lobby.server, services=services, reflection=True) as edge:
                yield edge, lobby
            nursery.cancel_scope.cancel()
