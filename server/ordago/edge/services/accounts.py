"""``AccountService``: who may come in, as whom, and for what, by calls over the wire.

The work with the database is done in a thread of its own, one call after the other, so that it holds up neither gRPC
nor a match. What comes too often is refused before that: calls from one address by the door, sign-ups from one address
here, and changes by one account.
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
"""Sign-ups from one address, good or not: a class joins within a minute, and whoever guesses gets nowhere."""
_CHANGES_AT_ONCE: Final = 60
_CHANGES_PER_SECOND: Final = 1.0
"""Calls by one account, from wherever, that change something: each costs the disk a write."""
_TOKENS_AT_ONCE: Final = 100
_TOKENS_PER_SECOND: Final = 1 / 60
"""Tokens that an account may make: each leaves an entry in the log for ever when it is revoked. To revoke is not held
back, so a thief who makes tokens does not keep the author from revoking them."""
_MOST_WAITING: Final = 64
"""So many calls may wait for the thread; at some milliseconds for each, the last one waits for less than a second."""
_LONGEST_REQUEST_BYTES: Final = 4096
"""Names, codes and reasons are far shorter."""
_LONGEST_SECONDS: Final = 10.0
"""After so long nobody waits for an answer any more. No measurement: only a database that is stuck takes as long."""

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"


class _Answer(NamedTuple):
    """What comes of a call."""

    message: Message
    by: str
    """The account that called, or that was opened."""


class AccountService:
    """Answers ``AccountService``. It is a ``service.Service``, for ``Edge.open``."""

    name: Final = ACCOUNT_SERVICE

    def __init__(self, handlers: AccountHandlers, *, now: Callable[[], float] = time.monotonic) -> None:
        """Answer what a desk can do, and bound how often by a clock that only goes forward."""
        self._handlers = handlers
        self._now = now
        self._sign_ups = Allowances(per_second=_SIGN_UPS_PER_SECOND, at_once=_SIGN_UPS_AT_ONCE)
        self._changes = Allowances(per_second=_CHANGES_PER_SECOND, at_once=_CHANGES_AT_ONCE)
        self._tokens = Allowances(per_second=_TOKENS_PER_SECOND, at_once=_TOKENS_AT_ONCE)
        self._thread = Worker("ordago-accounts")
        self._waiting = 0

    def handler(self, gate: CallGate, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls in grpc's thread, as far as the door takes them."""
        methods = {name: self._method(name, call, gate, telemetry) for name, call in CALLS.items()}
        return grpc.method_handlers_generic_handler(ACCOUNT_SERVICE, methods)

    def _method(self, name: str, call: Call, gate: CallGate, telemetry: Telemetry) -> Handler:
        async def answer(asked: bytes, context: Context) -> bytes:
            await gate.let_in(context)
            try:
                request = _parsed(call, asked)
                answered = await self._answer(call, request, context)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is one call's
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
            raise RefusedError(grpc.StatusCode.UNAVAILABLE, "too many calls wait for an answer", retry_after_ms=1000)
        self._waiting += 1
        try:
            work = partial(self._work, call, request, token)
            answering = asyncio.get_running_loop().run_in_executor(self._thread, work)
            return await asyncio.wait_for(answering, _LONGEST_SECONDS)
        finally:
            self._waiting -= 1

    def _work(self, call: Call, request: Message, token: str) -> _Answer:
        """Answer a call. It blocks, and runs in the thread of the database."""
        if call.by_anybody:
            registered = call.answer(self._handlers, request)
            return _Answer(registered, by=registered.account.name)
        holder = good_holder(self._handlers.accounts, token, now=self._handlers.now())
        account = holder.account.name
        if call.needs is not None:
            check_scope(holder, call.needs)
        if call.changes:
            check_pace(self._changes, account, at=self._now())
        if call.request is v1.CreateTokenRequest:
            check_pace(self._tokens, account, at=self._now())
        return _Answer(call.answer(self._handlers, request, holder), by=account)


def _parsed(call: Call, asked: bytes) -> Message:
    if len(asked) > _LONGEST_REQUEST_BYTES:
        sentence = f"a request has {_LONGEST_REQUEST_BYTES} bytes at most, and this one {len(asked)}"
        raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, sentence)
    try:
        return call.request.FromString(asked)
    except DecodeError:
        name = call.request.DESCRIPTOR.name
        raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, f"this is no {name}") from None


async def _end(context: Context, error: Exception, telemetry: Telemetry) -> NoReturn:
    """End a call that is not answered, and say why."""
    sentence = str(error)[:LONGEST_SENTENCE]
    if isinstance(error, RefusedError):
        await context.abort(error.status, sentence, error.metadata)
    if isinstance(error, StoreRefusedError):
        await context.abort(STATUSES[error.why], sentence)
    if isinstance(error, StoreError | TimeoutError):
        telemetry.accounts_away(sentence or "it takes too long")
        await context.abort(grpc.StatusCode.UNAVAILABLE, "the accounts cannot be used now; try again later", COME_BACK)
    telemetry.failed_at("answering a call about accounts")
    await context.abort(grpc.StatusCode.INTERNAL, "the server failed at the answer; its log says more")
