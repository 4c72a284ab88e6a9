"""Calls of ``LadderService`` that only the account of a bot and admins may make."""

from collections.abc import Callable
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.ladder_handlers import Handler, LadderHandlers, LadderReader
from ordago.edge.services.own_calls import Answer, OwnCalls
from ordago.edge.services.refusals import RefusedError
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Holder, Scope

_NOT_YOURS: Final = "the faults of a bot are shown to its own account and to admins alone"

RequestT = TypeVar("RequestT", v1.ListFaultsRequest, v1.GetFaultRequest)


def fault_handlers(calls: LadderHandlers, accounts: Accounts | None, reader: LadderReader) -> dict[str, Handler]:
    """Return the handlers of the calls about faults, by name."""
    own = OwnCalls(calls, accounts, Scope.PLAY, Scope.ADMIN)
    return {
        "ListFaults": own.handler(v1.ListFaultsRequest, _permitted(reader.list_faults)),
        "GetFault": own.handler(v1.GetFaultRequest, _permitted(reader.get_fault)),
    }


def _permitted(read: Callable[[RequestT], Message]) -> Answer[RequestT]:
    """Return an answer by ``read``, which gets a request that names the account and bots that a holder may read."""

    def answer(request: RequestT, holder: Holder) -> Message:
        own, bound = holder.account.name, holder.token.bot
        is_admin = Scope.ADMIN in holder.scopes and not bound
        if (request.account not in ("", own) and not is_admin) or (bound and request.bot not in ("", bound)):
            raise RefusedError(grpc.StatusCode.PERMISSION_DENIED, _NOT_YOURS)
        request.account, request.bot = request.account or own, request.bot or bound
        return read(request)

    return answer
