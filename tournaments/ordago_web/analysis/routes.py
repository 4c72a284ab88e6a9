"""Routes that show the analysis of a match and start it, for matches whose record is public.

The match of a person is analysed for the browser that played it. The page of a published match gets the address of its
analysis when it is sent.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import quoted
from ordago.record import to_file_bytes
from ordago.scene import english
from ordago_ladder.publication.files import MOST_BYTES, MOST_RECORD_BYTES, UnreadableError, read_file
from ordago_web.analysis.analyst import Analyst, Answer, BusyError, Stage
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import HTML, tagged
from ordago_web.play.sessions import PlaySessions

Finder: TypeAlias = Callable[[Request], Awaitable[bytes]]
"""A function that returns the file of the record that a request is about, or raises an ``HTTPException``."""

_JSON: Final = "application/json"
_BODY: Final = b'<body class="replaying"'
_STATUS_OF_CALL: Final = {
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    "INVALID_ARGUMENT": HTTPStatus.NOT_FOUND,
    "FAILED_PRECONDITION": HTTPStatus.CONFLICT,
}
"""An unknown match, and one whose record is not open yet. Any other status means that the server is away."""


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of analyses. They precede those of event folders, which have no files of these names."""
    if context.analyst is None:
        return ()
    found: list[BaseRoute] = []
    if context.ladder is not None:
        found += _asked_at("/matches/{match}/analysis", context.analyst, partial(_of_ladder, context.ladder))
    if context.events is not None:
        found += _asked_at("/events/{event}/told/{match}/analysis", context.analyst, partial(_of_event, context.events))
        found.append(Route("/events/{event}/told/{match}.html", partial(_page, context.events)))
    if context.play_sessions is not None:
        found += _asked_at(
            "/play/{match}/analysis", context.analyst, partial(_of_person, context, context.play_sessions)
        )
    return found


def _asked_at(address: str, analyst: Analyst, find: Finder) -> list[BaseRoute]:
    return [
        Route(address, partial(_look_up, analyst, find), methods=["GET"]),
        Route(address, partial(_ask, analyst, find), methods=["POST"]),
    ]


async def _look_up(analyst: Analyst, find: Finder, request: Request) -> Response:
    return _response(request, await analyst.look_up(await find(request)))


async def _ask(analyst: Analyst, find: Finder, request: Request) -> Response:
    try:
        return _response(request, await analyst.ask(await find(request), asker=request.state.origin))
    except BusyError as error:
        raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, str(error), {"retry-after": "60"}) from None


def _response(request: Request, answer: Answer) -> Response:
    if answer.stage is Stage.DONE:
        return tagged(request, answer.body, _JSON)
    return Response(answer.body, headers={"cache-control": "no-store"}, media_type=_JSON)


async def _of_ladder(ladder: LadderSource, request: Request) -> bytes:
    """Return the file of a record from the ladder. The server refuses records that are not open."""
    asked = v1.GetRecordRequest(match_id=request.path_params["match"])
    try:
        return (await ladder.ask(asked, v1.GetRecordResponse)).file
    except CallError as error:
        status = _STATUS_OF_CALL.get(error.status, HTTPStatus.SERVICE_UNAVAILABLE)
        raise HTTPException(status, str(error)) from None


async def _of_event(events: EventFolders, request: Request) -> bytes:
    """Return the file of a record that an event has published."""
    event, match = request.path_params["event"], request.path_params["match"]
    path: Path | None = await trio.to_thread.run_sync(events.find, event, f"records/{match}.record")
    if path is None:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, english("The event {event} has no record of such a match.", event=quoted(event))
        )
    return await _read(path, most=MOST_RECORD_BYTES)


async def _of_person(context: AppContext, play_sessions: PlaySessions, request: Request) -> bytes:
    """Return the file of a record to the browser that played the match, once it is over."""
    human_match = play_sessions.find(request.path_params["match"], owner=context.sessions.of(request).id)
    if human_match is None or human_match.record is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, english("There is no match here that you played to its end."))
    return to_file_bytes(human_match.record)


async def _page(events: EventFolders, request: Request) -> Response:
    """Return the published page of a match, with the address of its analysis inserted."""
    event, match = request.path_params["event"], request.path_params["match"]
    path: Path | None = await trio.to_thread.run_sync(events.find, event, f"told/{match}.html")
    if path is None:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, english("The event {event} has no page at this address.", event=quoted(event))
        )
    html = await _read(path, most=MOST_BYTES)
    address = f"/events/{quote(event, safe='')}/told/{quote(match, safe='')}/analysis"
    return tagged(request, html.replace(_BODY, b'%s data-analysis="%s"' % (_BODY, address.encode()), 1), HTML)


async def _read(path: Path, *, most: int) -> bytes:
    try:
        return await trio.to_thread.run_sync(partial(read_file, path, most=most))
    except UnreadableError as error:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, english("The published folder cannot be read: {error}.", error=error)
        ) from None
