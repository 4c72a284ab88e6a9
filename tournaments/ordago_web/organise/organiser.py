"""The organiser who is signed in, and calls with its token."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.scene import sentence
from ordago_web.access.visitors import Account
from ordago_web.account_calls import AccountCalls, AnswerT
from ordago_web.accounts import ORGANISING
from ordago_web.answers import http_status
from ordago_web.clients import AccountServer
from ordago_web.context import AppContext

_SIGN_IN: Final = sentence("Sign in on the account page with a token for the role organise.").words
_NOT_ALLOWED: Final = sentence("Your token does not allow you to organise events: ask the operator for the role.").words


@dataclass(frozen=True, slots=True)
class Organiser:
    """An account that may hold events."""

    account: Account
    is_admin: bool
    """True if it may act on events of others, and invite."""


class Organisers:
    """Finds the organiser of a request, and asks the server for it."""

    def __init__(self, context: AppContext, server: AccountServer) -> None:
        """Ask a server in the turns of a site."""
        self._sessions = context.sessions
        self.calls = AccountCalls(context, server)

    async def of(self, request: Request) -> Organiser:
        """Return the organiser of a request.

        Raises:
            HTTPException: nobody is signed in, or a token that may not hold events.
        """
        account = self._sessions.of(request).account
        if account is None:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, _SIGN_IN)
        who = await self.ask(request, account, v1.WhoAmIRequest(), v1.WhoAmIResponse)
        if ORGANISING.isdisjoint(who.roles):
            raise HTTPException(HTTPStatus.FORBIDDEN, _NOT_ALLOWED)
        return Organiser(account, v1.ROLE_ADMIN in who.roles)

    async def signed(self, request: Request, *, most_fields: int = 64) -> tuple[Organiser, Mapping[str, str]]:
        """Return the organiser of a form, and the form.

        Raises:
            HTTPException: as for ``of``, or the form comes from no page of its own.
        """
        _, form = await self.calls.signed(request, most_fields=most_fields)
        return await self.of(request), form

    async def ask(self, request: Request, account: Account, asked: Message, answer: type[AnswerT]) -> AnswerT:
        """Return what a page cannot do without.

        Raises:
            HTTPException: the server refused it or could not be reached.
        """
        try:
            return await self.calls.ask(account.token, asked, answer)
        except CallError as error:
            if error.status == "UNAUTHENTICATED":
                self._sessions.sign_out(request)
            raise HTTPException(http_status(error.status), str(error)) from None
