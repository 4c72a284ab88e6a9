"""``AccountService``: who may come in, as whom, and for what, by calls over the wire.

The work with the database is done in a thread of its own, one call after the other, so that it holds up neither gRPC
nor a match. What comes too often is refused before that: calls from one address by the door, sign-ups from one address
here, and changes by one account.
"""

import asyncio
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple, NoReturn, TypeAlias

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message

from ordago.arena.allowance import Allowances
from ordago.edge.door import COME_BACK, Door
from ordago.edge.origins import origin_of
from ordago.edge.services.account_desk import CALLS, AccountDesk, Call
from ordago.edge.stream import RETRY_AFTER, Context, token_of
from ordago.fingerprint import fingerprint
from ordago.store.account_rows import Holder, TokenState
from ordago.store.errors import StoreError, StoreRefusedError, Why
from ordago.telemetry.telemetry import Telemetry

ACCOUNT_SERVICE: Final = "ordago.v1.AccountService"
_SIGN_UPS_AT_ONCE: Final = 30
_SIGN_UPS_PER_SECOND: Final = 0.5
"""Sign-ups from one address, good or not: a class joins within a minute, and whoever guesses gets nowhere."""
_CHANGES_AT_ONCE: Final = 60
_CHANGES_PER_SECOND: Final = 1.0
"""Calls by one account, from wherever, that change something: each costs the disk a write."""
_MOST_WAITING: Final = 64
"""So many calls may wait for the thread; at some milliseconds for each, the last one waits for less than a second."""
_LONGEST_REQUEST_BYTES: Final = 4096
"""Names, codes and reasons are far shorter."""
_LONGEST_SECONDS: Final = 10.0
"""After so long nobody waits for an answer any more. No measurement: only a database that is stuck takes as long."""
_STATUSES: Final = {
    Why.UNFIT: grpc.StatusCode.INVALID_ARGUMENT,
    Why.UNKNOWN: grpc.StatusCode.NOT_FOUND,
    Why.TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Why.NO_LEAVE: grpc.StatusCode.PERMISSION_DENIED,
    Why.LIMIT: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Why.STATE: grpc.StatusCode.FAILED_PRECONDITION,
}
_NO_TOKEN: Final = "this call asks for a token: 'authorization: Bearer TOKEN' in the metadata"  # noqa: S105 - a sentence
_NOT_GOOD: Final = "the token is not known here, was revoked or has expired; ask for a new one"
_LONGEST_SENTENCE: Final = 500
"""How many characters of a sentence are told: metadata may have 8 KiB."""

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"


class _RefusedError(Exception):
    """A call is not answered."""

    def __init__(self, status: grpc.StatusCode, sentence: str, *, retry_after_ms: int = 0) -> None:
        """Say how it ends, why, and after how many milliseconds to come again, if that is of use."""
        super().__init__(sentence)
        self.status = status
        self.metadata = ((RETRY_AFTER, str(retry_after_ms)),) if retry_after_ms else ()


class _Answer(NamedTuple):
    """What comes of a call."""

    message: Message
    by: str
    """The account that called, or that was opened."""


class AccountService:
    """Answers ``AccountService``. It is a ``service.Service``, for ``Edge.open``."""

    name: Final = ACCOUNT_SERVICE

    def __init__(self, desk: AccountDesk, *, now: Callable[[], float] = time.monotonic) -> None:
        """Answer what a desk can do, and bound how often by a clock that only goes forward."""
        self._desk = desk
        self._now = now
        self._sign_ups = Allowances(per_second=_SIGN_UPS_PER_SECOND, at_once=_SIGN_UPS_AT_ONCE)
        self._changes = Allowances(per_second=_CHANGES_PER_SECOND, at_once=_CHANGES_AT_ONCE)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ordago-accounts")
        self._waiting = 0

    def handler(self, door: Door, telemetry: Telemetry) -> grpc.GenericRpcHandler:
        """Return what answers its calls in grpc's thread, as far as the door takes them."""
        methods = {name: self._method(name, call, door, telemetry) for name, call in CALLS.items()}
        return grpc.method_handlers_generic_handler(ACCOUNT_SERVICE, methods)

    def _method(self, name: str, call: Call, door: Door, telemetry: Telemetry) -> Handler:
        async def answer(asked: bytes, context: Context) -> bytes:
            await door.let_in(context)
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
        token = token_of(context)
        if call.by_anybody:
            _check_pace(self._sign_ups, origin_of(context.peer()), at=self._now())
        elif not token:
            raise _RefusedError(grpc.StatusCode.UNAUTHENTICATED, _NO_TOKEN)
        if self._waiting >= _MOST_WAITING:
            raise _RefusedError(grpc.StatusCode.UNAVAILABLE, "too many calls wait for an answer", retry_after_ms=1000)
        self._waiting += 1
        try:
            work = partial(self._work, call, request, token or "")
            answering = asyncio.get_running_loop().run_in_executor(self._thread, work)
            return await asyncio.wait_for(answering, _LONGEST_SECONDS)
        finally:
            self._waiting -= 1

    def _work(self, call: Call, request: Message, token: str) -> _Answer:
        """Answer a call. It blocks, and runs in the thread of the database."""
        if call.by_anybody:
            registered = call.answer(self._desk, request)
            return _Answer(registered, by=registered.account.name)
        holder = self._holder(token)
        account = holder.account.name
        if call.needs is not None and call.needs not in holder.scopes:
            sentence = f"the token is good, but not for this: it lacks the scope {call.needs.value!r}, or its account "
            raise _RefusedError(grpc.StatusCode.PERMISSION_DENIED, f"{sentence}the role")
        if call.changes:
            _check_pace(self._changes, account, at=self._now())
        return _Answer(call.answer(self._desk, request, holder), by=account)

    def _holder(self, token: str) -> Holder:
        holder = self._desk.accounts.holder(fingerprint(token))
        state = None if holder is None else holder.state(self._desk.now())
        if holder is None or state in (TokenState.REVOKED, TokenState.EXPIRED):
            raise _RefusedError(grpc.StatusCode.UNAUTHENTICATED, _NOT_GOOD)
        if state is TokenState.BANNED:
            sentence = f"the account is banned: {holder.account.ban_reason}"
            raise _RefusedError(grpc.StatusCode.PERMISSION_DENIED, sentence)
        return holder


def _parsed(call: Call, asked: bytes) -> Message:
    if len(asked) > _LONGEST_REQUEST_BYTES:
        sentence = f"a request has {_LONGEST_REQUEST_BYTES} bytes at most, and this one {len(asked)}"
        raise _RefusedError(grpc.StatusCode.INVALID_ARGUMENT, sentence)
    try:
        return call.request.FromString(asked)
    except DecodeError:
        name = call.request.DESCRIPTOR.name
        raise _RefusedError(grpc.StatusCode.INVALID_ARGUMENT, f"this is no {name}") from None


def _check_pace(allowances: Allowances, who: str, *, at: float) -> None:
    wait_ms = math.ceil(allowances.take(who, at=at) * 1000)
    if wait_ms:
        sentence = f"too many calls of this kind; come back in {wait_ms} ms"
        raise _RefusedError(grpc.StatusCode.RESOURCE_EXHAUSTED, sentence, retry_after_ms=wait_ms)


async def _end(context: Context, error: Exception, telemetry: Telemetry) -> NoReturn:
    """End a call that is not answered, and say why."""
    sentence = str(error)[:_LONGEST_SENTENCE]
    if isinstance(error, _RefusedError):
        await context.abort(error.status, sentence, error.metadata)
    if isinstance(error, StoreRefusedError):
        await context.abort(_STATUSES[error.why], sentence)
    if isinstance(error, StoreError | TimeoutError):
        telemetry.accounts_away(sentence or "it takes too long")
        await context.abort(grpc.StatusCode.UNAVAILABLE, "the accounts cannot be used now; try again later", COME_BACK)
    telemetry.failed_at("answering a call about accounts")
    await context.abort(grpc.StatusCode.INTERNAL, "the server failed at the answer; its log says more")
