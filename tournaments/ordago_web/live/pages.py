"""The list of running matches and of those that have just finished, and the page and event stream of one of them."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

import trio
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.access.bounds import TooManyError
from ordago_web.answers import JSON, http_status, problem_page
from ordago_web.context import AppContext
from ordago_web.ladder.asking import Asking, errors_as_pages
from ordago_web.ladder.matches import match_row
from ordago_web.ladder.places import match_place
from ordago_web.ladder_source import LadderSource
from ordago_web.languages import language_of
from ordago_web.live.small_tables import finished_matches, running_matches
from ordago_web.live.tables import LiveTables
from ordago_web.pages import tagged

_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # A proxy that buffers the stream would delay it.
    (b"x-accel-buffering", b"no"),
)


class TableStream(Response):
    """The event stream of a match, until it ends or the browser disconnects."""

    def __init__(self, context: AppContext, live: LiveTables, request: Request, match_id: str) -> None:
        """Prepare the stream of a match for a request."""
        super().__init__()
        self._context = context
        self._live = live
        self._request = request
        self._match_id = match_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, or an error page if it cannot begin."""
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
        async with self._live.watched(self._match_id, language=language_of(self._request)) as table:
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_gone, receive, nursery.cancel_scope)
                number, is_all = _last_known(self._request), False
                while not is_all:
                    steps, number, is_all = await table.after(number)
                    if steps:
                        await send({"type": "http.response.body", "body": steps, "more_body": True})
                nursery.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, scope: trio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _last_known(request: Request) -> int | None:
    """Return the number of the last step that the browser has, or ``None``. The header may hold anything."""
    text = request.headers.get("last-event-id", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of live views; none without a ladder."""
    if context.live is None or context.ladder is None:
        return ()
    return [
        Route("/live", partial(_list, context, context.ladder)),
        Route("/live/tables.json", partial(_tables, context)),
        Route("/matches/{match_id}/watch", partial(_watch, context, context.ladder)),
        Route("/matches/{match_id}/live", partial(_stream, context, context.live)),
    ]


async def _list(context: AppContext, ladder: LadderSource, request: Request) -> Response:
    with errors_as_pages():
        running, finished = await running_matches(ladder), await finished_matches(ladder)
        asking = Asking(context)
        opens = await asking.opening((await asking.ladder()).epoch)
        tables = await asking.small_tables()
    return context.pages.render(
        request,
        "live.html.jinja",
        matches=[match_row(match) for match in running],
        finished=[match_row(match) for match in finished],
        tables=tables,
        opens=opens,
    )


async def _tables(context: AppContext, request: Request) -> Response:
    assert context.small_tables is not None, "tables are live"
    with errors_as_pages():
        snapshot = await context.small_tables.snapshot(language_of(request))
    return tagged(request, snapshot, JSON, headers={"vary": "Accept-Language, Cookie"})


async def _watch(context: AppContext, ladder: LadderSource, request: Request) -> Response:
    with errors_as_pages():
        asked = v1.GetMatchRequest(match_id=request.path_params["match_id"])
        match = (await ladder.ask(asked, v1.GetMatchResponse)).match
        seen_out = await Asking(context).is_seen_out(match)
    if match.stage == v1.MATCH_STAGE_VOID or match.record_open or seen_out or match.lane:
        return RedirectResponse(match_place(match.match_id), HTTPStatus.SEE_OTHER)
    return context.pages.render(request, "table.html.jinja", row=match_row(match))


async def _stream(context: AppContext, live: LiveTables, request: Request) -> Response:
    return TableStream(context, live, request, request.path_params["match_id"])
