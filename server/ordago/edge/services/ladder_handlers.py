"""Handlers of calls that read a ladder or events, one after the other in a background thread with a limited queue."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, NoReturn, Protocol, TypeAlias, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.edge.call_gate import COME_BACK, CallGate
from ordago.edge.services.places import Places
from ordago.edge.services.refusals import STATUSES, RefusedError
from ordago.edge.services.worker import Worker
from ordago.edge.stream import LONGEST_SENTENCE, Context, token_of
from ordago.store.errors import NotFoundError, NotOpenError, PageTokenError, StoreError, StoreRefusedError
from ordago.telemetry.telemetry import Telemetry


class LadderReader(Protocol):
    """The reader of a ladder. It is called in a background thread, one call after the other, and delays no match.

    Every method may raise ``NotFoundError``, ``NotOpenError`` and ``PageTokenError``, with a sentence for the caller,
    and other ``StoreError`` while the store cannot be read.
    """

    def get_ladder(self, request: v1.GetLadderRequest, /) -> v1.GetLadderResponse:
        """Describe the ladder."""

    def list_standings(self, request: v1.ListStandingsRequest, /) -> v1.ListStandingsResponse:
        """List the standings."""

    def get_bot(self, request: v1.GetBotRequest, /) -> v1.GetBotResponse:
        """Describe a bot."""

    def get_rating_course(self, request: v1.GetRatingCourseRequest, /) -> v1.GetRatingCourseResponse:
        """Return the course of a rating over time."""

    def get_head_to_head(self, request: v1.GetHeadToHeadRequest, /) -> v1.GetHeadToHeadResponse:
        """Return the results of two bots against each other."""

    def get_bot_figures(self, request: v1.GetBotFiguresRequest, /) -> v1.GetBotFiguresResponse:
        """Return statistics of a bot's play."""

    def list_epochs(self, request: v1.ListEpochsRequest, /) -> v1.ListEpochsResponse:
        """List the epochs."""

    def list_seasons(self, request: v1.ListSeasonsRequest, /) -> v1.ListSeasonsResponse:
        """List the seasons."""

    def list_matches(self, request: v1.ListMatchesRequest, /) -> v1.ListMatchesResponse:
        """List matches."""

    def get_match(self, request: v1.GetMatchRequest, /) -> v1.GetMatchResponse:
        """Describe a match."""

    def get_record(self, request: v1.GetRecordRequest, /) -> v1.GetRecordResponse:
        """Return a record that is open to the public."""

    def list_faults(self, request: v1.ListFaultsRequest, /) -> v1.ListFaultsResponse:
        """List what went wrong with the bots of ``account``, whose caller may know it."""

    def get_fault(self, request: v1.GetFaultRequest, /) -> v1.GetFaultResponse:
        """Return a decision that went wrong with a bot of ``account``, whose caller may know it."""

    def record_to_watch(self, match_id: str, /) -> bytes:
        """Return the file of a record that is open, or whose end spectators have seen: its public events may be shown.

        The record itself must not leave the server.
        """


T = TypeVar("T")
RequestT = TypeVar("RequestT", bound=Message)
Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"
Admits = Callable[[str | None], bool]
"""A function that returns True if a token, or ``None``, may read. Called in grpc's thread, so it has to be quick."""

_MOST_WAITING: Final = 64
"""The most calls that wait for the thread. At a millisecond or two each, the last one waits for some 0.3 s."""
LONGEST_REQUEST_BYTES: Final = 4096
"""The longest request. Names have 64 characters at most, and page tokens are short."""
_LONGEST_READ_SECONDS: Final = 10.0
"""The longest wait for an answer. Not measured: only a database that is stuck takes as long."""
_READ_SHARE: Final = 0.25
"""The greatest share of time for reading, since Python runs one thread at a time, and the matches need the rest."""
_STATUSES: Final[Mapping[type[Exception], grpc.StatusCode]] = {
    NotFoundError: grpc.StatusCode.NOT_FOUND,
    NotOpenError: grpc.StatusCode.FAILED_PRECONDITION,
    PageTokenError: grpc.StatusCode.INVALID_ARGUMENT,
}
_NOT_ADMITTED: Final = "this ladder requires a valid token of one of its accounts"
_BUSY: Final = "too many calls are waiting for an answer"
_FAILED: Final = "the server failed; see its log"


class ReaderThread:
    """A background thread for reading, one call after the other. Used in grpc's thread."""

    def __init__(self, *, longest_seconds: float | None = None) -> None:
        """Set the longest wait for a read; ``None`` for 10 s."""
        self._longest_seconds = longest_seconds or _LONGEST_READ_SECONDS
        self._thread = Worker("ordago-reader")
        self._waiting = 0
        self._rests_until = 0.0
        """The monotonic time before which the thread does not read. Used in that thread only."""

    @property
    def is_busy(self) -> bool:
        """True if too many calls wait already."""
        return self._waiting >= _MOST_WAITING

    async def read(self, read: Callable[[], T]) -> T:
        """Run ``read`` in the thread and return its result.

        Raises:
            TimeoutError: it took too long. A read that has begun runs to its end, and its result is dropped.
        """
        self._waiting += 1
        try:
            reading = asyncio.get_running_loop().run_in_executor(self._thread, self._read_in_turn, read)
            return await asyncio.wait_for(reading, self._longest_seconds)
        finally:
            self._waiting -= 1

    def run_later(self, run: Callable[[], object]) -> None:
        """Run a function in the thread after all reads that wait."""
        self._thread.submit(run)

    def _read_in_turn(self, read: Callable[[], T]) -> T:
        time.sleep(max(0.0, self._rests_until - time.monotonic()))
        begun = time.thread_time()
        try:
            return read()
        finally:
            work_seconds = time.thread_time() - begun
            self._rests_until = time.monotonic() + work_seconds / _READ_SHARE - work_seconds


class LadderHandlers:
    """Handlers of calls from clients that may read. Used in grpc's thread."""

    def __init__(
        self, thread: ReaderThread, gate: CallGate, telemetry: Telemetry, *, admits: Admits, subject: str = "the ladder"
    ) -> None:
        """Accept calls by ``gate`` and ``admits``, and read in ``thread``; ``subject`` names the store in errors."""
        self.gate = gate
        self._thread = thread
        self._telemetry = telemetry
        self._admits = admits
        self._subject = subject

    def handler(self, request: type[RequestT], read: Callable[[RequestT], Message], *, waits: bool = True) -> Handler:
        """Return a handler of one call, which parses the request and answers with the result of ``read``.

        With ``waits`` false it reads no store, and answers at once in grpc's thread, even while the store hangs.
        """

        async def answer(asked: bytes, context: Context) -> bytes:
            message = await self.let_in(request, asked, context)
            answered = await self.read(partial(read, message), context) if waits else read(message)
            return answered.SerializeToString()

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    async def let_in(
        self, request: type[RequestT], asked: bytes, context: Context, *, longest: int = LONGEST_REQUEST_BYTES
    ) -> RequestT:
        """Return the request of an accepted call, or abort the call with the reason."""
        await self.gate.let_in(context)
        if not self._admits(token_of(context)):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, _NOT_ADMITTED)
        if len(asked) > longest:
            sentence = f"a request has at most {longest} bytes, and this one has {len(asked)}"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, sentence)
        try:
            return request.FromString(asked)
        except DecodeError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"this is no {request.DESCRIPTOR.name}")

    @asynccontextmanager
    async def look_on(self, places: Places, context: Context) -> AsyncIterator[None]:
        """Take a place for a long call within the context, and count its connection as active; or abort the call."""
        peer = context.peer()
        try:
            places.enter(peer)
        except RefusedError as error:
            await self.refuse(context, error)
        try:
            with self.gate.look_on(peer):
                yield
        finally:
            places.leave(peer)

    async def read(self, read: Callable[[], T], context: Context) -> T:
        """Return the result of ``read``, or abort the call with the reason."""
        if self._thread.is_busy:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, _BUSY, COME_BACK)
        try:
            return await self._thread.read(read)
        except Exception as error:  # noqa: BLE001 - any error ends this call only
            await self.refuse(context, error)

    def run_later(self, run: Callable[[], object]) -> None:
        """Run a function in the reading thread, after all reads that wait."""
        self._thread.run_later(run)

    async def refuse(self, context: Context, error: Exception) -> NoReturn:
        """Abort a call with the status and sentence of an error."""
        if type(error) in _STATUSES:
            await context.abort(_STATUSES[type(error)], str(error)[:LONGEST_SENTENCE])
        if isinstance(error, RefusedError):
            await context.abort(error.status, str(error)[:LONGEST_SENTENCE], error.metadata)
        if isinstance(error, StoreRefusedError):
            await context.abort(STATUSES[error.why], str(error)[:LONGEST_SENTENCE])
        if isinstance(error, TimeoutError):
            sentence = f"{self._subject} could not be read in time; try again later"
            await context.abort(grpc.StatusCode.UNAVAILABLE, sentence)
        if isinstance(error, StoreError):
            await context.abort(
                grpc.StatusCode.UNAVAILABLE, f"{self._subject} cannot be read at the moment; try again later"
            )
        self._telemetry.failed_at(f"answering a call about {self._subject}")
        await context.abort(grpc.StatusCode.INTERNAL, _FAILED)
