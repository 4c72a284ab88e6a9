"""Calls to the server of matches with the tokens of authors."""

from collections.abc import Iterator, Mapping
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Any, TypeVar

import trio
from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago import v1
from ordago.edge.services.account_export import gathered
from ordago.scene import english
from ordago_web.access.visitors import Account
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext
from ordago_web.forms import EXPIRED, MOST_FIELDS, form_of
from ordago_web.ladder_source import CALLS_AT_ONCE

AnswerT = TypeVar("AnswerT", bound=Message)


class AccountCalls:
    """Calls to the server on behalf of the authors who are signed in."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        """Ask a server in the turns of a site."""
        self._context = context
        self._server = server
        self._limiter = trio.CapacityLimiter(CALLS_AT_ONCE)
        self._slow = trio.CapacityLimiter(CALLS_AT_ONCE)

    async def signed(self, request: Request, *, most_fields: int = MOST_FIELDS) -> tuple[Account, Mapping[str, str]]:
        """Return the account that is signed in and the form that its browser sent.

        Raises:
            HTTPException: the visitor is signed out, or the form comes from no page of its own.
        """
        form, visitor = await form_of(request, most_fields=most_fields), self._context.sessions.of(request)
        if not visitor.has_signed(form.get("csrf", "")):
            raise HTTPException(HTTPStatus.FORBIDDEN, EXPIRED)
        if visitor.account is None:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, english("You are signed out: sign in again."))
        return visitor.account, form

    async def ask(self, token: str, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request, with the token of an author or without one if it is empty.

        Raises:
            CallError: the server refused it or could not be reached.
        """
        ask: Any = self._server.ask
        async with self._context.turns.turn():
            await self._context.turns.keep_pace()
            found: AnswerT = await trio.to_thread.run_sync(
                ask, token, request, answer, abandon_on_cancel=True, limiter=self._limiter
            )
        return found

    async def ask_slowly(self, token: str, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request that may wait for an event, without a turn that pages need meanwhile.

        Raises:
            CallError: the server refused it or could not be reached.
        """
        ask: Any = self._server.ask
        found: AnswerT = await trio.to_thread.run_sync(
            ask, token, request, answer, abandon_on_cancel=True, limiter=self._slow
        )
        return found

    async def export(self, token: str) -> Mapping[str, Any]:
        """Return all that the server keeps of the account of a token, by calls in a thread.

        Raises:
            CallError: the server refused one or could not be reached.
        """
        ask: Any = partial(self._server.ask, token)
        work = partial(gathered, "", ask, ask_ladder=ask)
        return await trio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._slow)

    async def download(self, token: str, event: str) -> Iterator[v1.DownloadEventResponse]:
        """Return the responses of a download, which come as they are taken, by threads alone.

        Raises:
            CallError: the server refused it or could not be reached.
        """
        responses = self._server.download(token, v1.DownloadEventRequest(name=event))
        first = await trio.to_thread.run_sync(next, responses, v1.DownloadEventResponse(), limiter=self._slow)
        return chain([first], responses)
