"""A response that goes on: the messages of a table, as a browser's ``EventSource`` reads them."""

import trio
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ordago.edge.services.client import CallError
from ordago_web.access.bounds import TooManyError
from ordago_web.answers import http_status
from ordago_web.context import AppContext
from ordago_web.live.tables import LiveTables
from ordago_web.problems import problem_page

_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A proxy that gathers what is sent would tell it late.
    (b"x-accel-buffering", b"no"),
)


class TableStream(Response):
    """Tells a match as it goes on, until it ends or nobody reads any more."""

    def __init__(self, context: AppContext, live: LiveTables, request: Request, match_id: str) -> None:
        """Tell a match to whoever made a request."""
        super().__init__()
        self._context = context
        self._live = live
        self._request = request
        self._match_id = match_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what is told."""
        try:
            with self._context.limits.stream(self._request.state.origin):
                await self._show(receive, send)
        except* TooManyError as group:
            await self._refuse(429, group, scope, receive, send)
        except* CallError as group:
            await self._refuse(0, group, scope, receive, send)

    async def _refuse(
        self, status: int, group: BaseExceptionGroup[Exception], scope: Scope, receive: Receive, send: Send
    ) -> None:
        error = group.exceptions[0]
        status = http_status(error.status) if isinstance(error, CallError) else status
        await problem_page(self._context.pages, self._request, status, str(error))(scope, receive, send)

    async def _show(self, receive: Receive, send: Send) -> None:
        async with self._live.watched(self._match_id) as table:
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_gone, receive, nursery.cancel_scope)
                number, is_all = _last_known(self._request), False
                while not is_all:
                    told, number, is_all = await table.after(number)
                    if told:
                        await send({"type": "http.response.body", "body": told, "more_body": True})
                nursery.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, scope: trio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _last_known(request: Request) -> int | None:
    """Return the number of the step that the browser was told last; it may say anything."""
    text = request.headers.get("last-event-id", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
