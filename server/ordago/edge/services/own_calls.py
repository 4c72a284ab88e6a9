"""Calls of ``LadderService`` that need the token of an account."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.arena.allowance import Allowances
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers
from ordago.edge.services.refusals import RefusedError, check_pace, check_scope, good_holder, needed_token
from ordago.edge.stream import Context
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Holder, Scope

_AT_ONCE: Final = 20
_PER_SECOND: Final = 1.0
"""The rate of these calls by an account, which the contract states: a page of faults reads up to a hundred records."""
_NO_ACCOUNTS: Final = "this server has no accounts, and so does not know whose bots these are"

RequestT = TypeVar("RequestT", bound=Message)
Answer: TypeAlias = Callable[[RequestT, Holder], Message]


class Challenger(Protocol):
    """The challenges of a ladder. Each method may raise ``StoreError``, with a sentence for the holder of the token."""

    def challenge(self, request: v1.ChallengeBotRequest, by: Holder, /) -> v1.ChallengeBotResponse:
        """Make a challenge."""

    def list_challenges(self, request: v1.ListChallengesRequest, by: Holder, /) -> v1.ListChallengesResponse:
        """List the last challenges."""

    def withdraw(self, request: v1.WithdrawChallengeRequest, by: Holder, /) -> v1.WithdrawChallengeResponse:
        """End the open challenge."""


class OwnCalls:
    """Handlers of some of these calls. They check the token in the reading thread."""

    def __init__(self, calls: LadderHandlers, accounts: Accounts | None, *enough: Scope) -> None:
        """Accept tokens with one of some scopes; none without accounts."""
        self._calls = calls
        self._accounts = accounts
        self._enough = enough
        self._pace = Allowances(per_second=_PER_SECOND, at_once=_AT_ONCE)

    def handler(self, request: type[RequestT], answer: Answer[RequestT]) -> Handler:
        """Return a handler of one call, whose ``answer`` gets the request and the holder of the token."""

        async def answered(asked: bytes, context: Context) -> bytes:
            message = await self._calls.let_in(request, asked, context)
            try:
                token = needed_token(context)
            except RefusedError as error:
                await self._calls.refuse(context, error)
            response = await self._calls.read(partial(self._answer, message, answer, token), context)
            return bytes(response.SerializeToString())

        handler: Handler = grpc.unary_unary_rpc_method_handler(answered)
        return handler

    def _answer(self, request: RequestT, answer: Answer[RequestT], token: str) -> Message:
        if self._accounts is None:
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, _NO_ACCOUNTS)
        holder = good_holder(self._accounts, token, now=time.time())
        check_scope(holder, *self._enough)
        check_pace(self._pace, holder.account.name, at=time.monotonic())
        return answer(request, holder)
