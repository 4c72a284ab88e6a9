"""``AccountService``: accounts, tokens and roles, by calls over the wire.

A background thread works with the database, one call after the other, so that neither gRPC nor a match waits for it.
Rate limits come first: the call gate limits calls from one address, and this module limits sign-ups from one address
and changes by one account.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple, NoReturn, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.call_gate import COME_BACK, CallGate
from ordago.edge.origins import origin_of
from ordago.edge.services.account_handlers import CALLS, AccountHandlers, Call
from ordago.edge.services.refusals import STATUSES, RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.services.worker import Worker
from ordago.edge.stream import LONGEST_SENTENCE, Context
from ordago.store.errors import StoreError, StoreRefusedError
from ordago.telemetry.telemetry import Telemetry

ACCOUNT_SERVICE: Final = "ordago.v1.AccountService"
_SIGN_UPS_AT_ONCE: Final = 30
_SIGN_UPS_PER_SECOND: Final = 0.5
"""The rate of sign-ups from one address, valid or not: a class can join within a minute, but guessing is futile."""
_CHANGES_AT_ONCE: Final = 60
_CHANGES_PER_SECOND: Final = 1.0
"""The rate of changes by one account, from any address: each is a write to the disk."""
_TOKENS_AT_ONCE: Final = 100
_TOKENS_PER_SECOND: Final = 1 / 60
"""The rate of tokens made by an account: each that is revoked stays in the log forever. Revoking has no such limit, so
that a thief that makes tokens cannot keep the author from revoking them."""
_ANNOUNCED_AT_ONCE: Final = 10
_ANNOUNCED_PER_SECOND: Final = 1 / 60
"""The rate of announcements by an account: each is sent to every bot, and stays in the log forever."""
_MOST_WAITING: Final = 64
"""The most calls that wait for the thread. At some milliseconds each, the last one waits for less than a second."""
_LONGEST_REQUEST_BYTES: Final = 4096
"""The longest request. Names, codes and reasons are far shorter."""
_LONGEST_SECONDS: Final = 10.0
"""The longest wait for an answer. Not measured: only a database that is stuck takes as long."""

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"


class _Answer(NamedTuple):
    """The result of a call."""

    message: Message
    by: str
    """The account that called, or that was opened."""


class AccountService:
    """Handler of ``AccountService``. It is a ``call_gate.Service``, for ``Edge.open``."""

    name: Final = ACCOUNT_SERVICE

    def __init__(self, handlers: AccountHandlers, *, now: Callable[[], float] = time.monotonic) -> None:
        """Answer by these handlers; ``now`` is a monotonic clock for the rate limits."""
        self._handlers = handlers
        self._now = now
        self._sign_ups = Allowances(per_second=_SIGN_UPS_PER_SECOND, at_once=_SIGN_UPS_AT_ONCE)
        self._changes = Allowances(per_second=_CHANGES_PER_SECOND, at_once=_CHANGES_AT_ONCE)
        self._paces = {
            v1.CreateTokenRequest: Allowances(per_second=_TOKENS_PER_SECOND, at_once=_TOKENS_AT_ONCE),
            v1.AnnounceRequest: Allowances(per_second=_ANNOUNCED_PER_SECOND, at_once=_ANNOUNCED_AT_ONCE),
        }
        """The rates of calls that have one of their own."""
        self._thread = Worker("ordago-accounts")
        self._waiting = 0

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return the handler of its calls, which run in grpc's thread if the gate accepts them."""
        methods = {name: self._method(name, call, gate, telemetry) for name, call in CALLS.items()}
        return grpc.method_handlers_generic_handler(ACCOUNT_SERVICE, methods)

    def _method(self, name: str, call: Call, gate: CallGate, telemetry: Telemetry) -> Handler:
        async def answer(asked: bytes, context: Context) -> bytes:
            await gate.let_in(context)
            try:
                request = _parsed(call, asked)
                answered = await self._answer(call, request, context)
            except Exception as error:  # noqa: BLE001 - any error ends this call only
                await _end(context, error, telemetry)
            if call.changes:
                telemetry.accounts_changed(name, account=getattr(request, "account", ""), by=answered.by)
            return answered.message.SerializeToString()

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    async def _answer(self, call: Call, request: Message, context: Context) -> _Answer:
        """Answer a call in the thread of the database."""
        token = "" if call.by_anybody else needed_token(context)
        if call.by_anybody:
            check_pace(self._sign_ups, origin_of(context.peer()), at=self._now())
        if self._waiting >= _MOST_WAITING:
            raise RefusedError(
                grpc.StatusCode.UNAVAILABLE, "too many calls are waiting for an answer", retry_after_ms=1000
            )
        self._waiting += 1
        try:
            work = partial(self._work, call, request, token)
            answering = asyncio.get_running_loop().run_in_executor(self._thread, work)
            return await asyncio.wait_for(answering, _LONGEST_SECONDS)
        finally:
            self._waiting -= 1

    def _work(self, call: Call, request: Message, token: str) -> _Answer:
        """Answer a call. Blocks, and runs in the thread of the database."""
        if call.by_anybody:
            registered = call.answer(self._handlers, request)
            return _Answer(registered, by=registered.account.name)
        holder = good_holder(self._handlers.accounts, token, now=self._handlers.now())
        account = holder.account.name
        if call.needs is not None:
            check_scope(holder, call.needs)
        if call.changes:
            check_pace(self._changes, account, at=self._now())
        if call.request in self._paces:
            check_pace(self._paces[call.request], account, at=self._now())
        return _Answer(call.answer(self._handlers, request, holder), by=account)


def _parsed(call: Call, asked: bytes) -> Message:
    if len(asked) > _LONGEST_REQUEST_BYTES:
        sentence = f"a request has at most {_LONGEST_REQUEST_BYTES} bytes, and this one has {len(asked)}"
        raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, sentence)
    try:
        return call.request.FromString(asked)
    except DecodeError:
        name = call.request.DESCRIPTOR.name
        raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, f"this is no {name}") from None


async def _end(context: Context, error: Exception, telemetry: Telemetry) -> NoReturn:
    """Abort a call with the status and sentence of an error."""
    sentence = str(error)[:LONGEST_SENTENCE]
    if isinstance(error, RefusedError):
        await context.abort(error.status, sentence, error.metadata)
    if isinstance(error, StoreRefusedError):
        await context.abort(STATUSES[error.why], sentence)
    if isinstance(error, StoreError | TimeoutError):
        telemetry.accounts_away(sentence or "the call took too long")
        await context.abort(
            grpc.StatusCode.UNAVAILABLE, "the accounts are unavailable at the moment; try again later", COME_BACK
        )
    telemetry.failed_at("answering a call about accounts")
    await context.abort(grpc.StatusCode.INTERNAL, "the server failed; see its log")
