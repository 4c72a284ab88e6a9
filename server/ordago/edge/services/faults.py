"""Calls of ``LadderService`` that only the account of a bot and admins may make."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers
from ordago.edge.services.refusals import RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.stream import Context
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

_AT_ONCE: Final = 20
_PER_SECOND: Final = 1.0
"""The rate of these calls by an account, which the contract states: a page reads up to a hundred records."""
_NO_ACCOUNTS: Final = "this server has no accounts, and so does not know whose bots went wrong"
_NOT_YOURS: Final = "the faults of a bot are shown to its own account and to admins alone"

RequestT = TypeVar("RequestT", v1.ListFaultsRequest, v1.GetFaultRequest)
Read: TypeAlias = Callable[[RequestT], Message]


class OwnFaults:
    """Handlers of the calls about faults. They check the token in the reading thread."""

    def __init__(self, calls: LadderHandlers, accounts: Accounts | None) -> None:
        """Let in the holders of tokens; nobody without accounts."""
        self._calls = calls
        self._accounts = accounts
        self._pace = Allowances(per_second=_PER_SECOND, at_once=_AT_ONCE)

    def handler(self, request: type[RequestT], read: Read[RequestT]) -> Handler:
        """Return a handler of one call, whose ``read`` gets a request that names the account and bots it may read."""

        async def answer(asked: bytes, context: Context) -> bytes:
            message = await self._calls.let_in(request, asked, context)
            try:
                token = needed_token(context)
            except RefusedError as error:
                await self._calls.refuse(context, error)
            answered = await self._calls.read(partial(self._read, message, read, token), context)
            return bytes(answered.SerializeToString())

        handler: Handler = grpc.unary_unary_rpc_method_handler(answer)
        return handler

    def _read(self, request: RequestT, read: Read[RequestT], token: str) -> Message:
        if self._accounts is None:
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, _NO_ACCOUNTS)
        holder = good_holder(self._accounts, token, now=time.time())
        check_scope(holder, Scope.PLAY, Scope.ADMIN)
        own, bound = holder.account.name, holder.token.bot
        check_pace(self._pace, own, at=time.monotonic())
        is_admin = Scope.ADMIN in holder.scopes and not bound
        if (request.account not in ("", own) and not is_admin) or (bound and request.bot not in ("", bound)):
            raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, _NOT_YOURS)
        request.account, request.bot = request.account or own, request.bot or bound
        return read(request)
