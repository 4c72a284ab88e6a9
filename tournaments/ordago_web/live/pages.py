"""The pages of tables that are watched: which matches are played now, and one of them."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.games import UnknownGameError, find_game
from ordago.names import visible
from ordago_web.answers import http_status
from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.live.stream import TableStream
from ordago_web.live.tables import LiveTables


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return where matches are watched; nowhere without a ladder."""
    if context.live is None or context.ladder is None:
        return ()
    return [
        Route("/live", partial(_list, context, context.ladder)),
        Route("/matches/{match_id}/watch", partial(_watch, context, context.ladder)),
        Route("/matches/{match_id}/live", partial(_stream, context, context.live)),
    ]


async def _list(context: AppContext, ladder: LadderSource, request: Request) -> Response:
    asked = v1.ListMatchesRequest(running=True, page_size=200)
    try:
        found = await ladder.ask(asked, v1.ListMatchesResponse)
    except CallError as error:
        raise HTTPException(http_status(error.status), str(error)) from None
    return context.pages.render(
        request,
        "live.html.jinja",
        matches=[(match.match_id, _title(match.game), _names(match)) for match in found.matches],
    )


async def _watch(context: AppContext, ladder: LadderSource, request: Request) -> Response:
    match_id = request.path_params["match_id"]
    try:
        match = (await ladder.ask(v1.GetMatchRequest(match_id=match_id), v1.GetMatchResponse)).match
    except CallError as error:
        raise HTTPException(http_status(error.status), str(error)) from None
    if match.stage != v1.MATCH_STAGE_RUNNING:
        return RedirectResponse(f"/matches/{match.match_id}", HTTPStatus.SEE_OTHER)
    return live_page(context, request, match)


def live_page(context: AppContext, request: Request, match: v1.LadderMatch) -> Response:
    """Return the page of a match that is played."""
    place = f"/matches/{match.match_id}"
    return context.pages.render(request, "table.html.jinja", title=_title(match.game), names=_names(match), place=place)


async def _stream(context: AppContext, live: LiveTables, request: Request) -> Response:
    return TableStream(context, live, request, request.path_params["match_id"])


def _title(game: str) -> str:
    try:
        return find_game(game).rules.title
    except UnknownGameError:
        return visible(game)


def _names(match: v1.LadderMatch) -> list[str]:
    return [visible(seat.name) for seat in match.seats]
