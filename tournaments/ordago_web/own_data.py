"""Forms on the account page about all that is kept of an author: its export, and the deletion of the account."""

import json
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.scene import sentence
from ordago_web.account_calls import AccountCalls
from ordago_web.answers import http_status
from ordago_web.context import AppContext

_OTHER_NAME: Final = sentence("Nothing was deleted: type the name of your account as it is written above.").words


class OwnDataPages:
    """Handlers of the forms."""

    def __init__(self, context: AppContext, calls: AccountCalls, shown: Callable[..., Awaitable[Response]]) -> None:
        """Ask the server by ``calls``; ``shown`` shows the account page with a problem."""
        self._context = context
        self._calls = calls
        self._shown = shown

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of the handlers."""
        return [
            Route("/account/export", self.export, methods=["POST"]),
            Route("/account/delete", self.delete, methods=["POST"]),
        ]

    async def export(self, request: Request) -> Response:
        """Send all that is kept of an author as a file."""
        account, _ = await self._calls.signed(request)
        try:
            kept = await self._calls.export(account.token)
        except CallError as error:
            raise HTTPException(http_status(error.status), str(error)) from None
        headers = {"content-disposition": 'attachment; filename="account.json"', "cache-control": "private, no-store"}
        return Response(json.dumps(kept, indent=1), 200, headers, "application/json")

    async def delete(self, request: Request) -> Response:
        """Delete an account whose author typed its name."""
        account, form = await self._calls.signed(request)
        if form.get("name", "").strip() != account.name:
            return await self._shown(request, account, problem=_OTHER_NAME)
        try:
            asked = v1.DeleteAccountRequest(account=account.name)
            done = await self._calls.ask(account.token, asked, v1.DeleteAccountResponse)
        except CallError as error:
            return await self._shown(request, account, problem=str(error))
        self._context.sessions.sign_out(request)
        return self._context.pages.render(
            request, "account_deleted.html.jinja", status=HTTPStatus.OK, pseudonym=done.pseudonym
        )
