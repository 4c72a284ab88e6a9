"""The pages of events: the published folders as they are, and a list of them."""

import filecmp
import json
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import quote

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago.names import quoted
from ordago.scene import english
from ordago_web.answers import JSON
from ordago_web.assets import ASSETS
from ordago_web.context import AppContext
from ordago_web.entry_pages import open_events
from ordago_web.event_folders import EventFolders
from ordago_web.event_summaries import event_summaries, progress_of
from ordago_web.pages import HTML, has_tag, tagged

_KINDS: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".html": HTML,
    ".json": JSON,
    ".svg": "image/svg+xml",
}
"""The types that a browser may display. All other files are downloads, whatever a folder claims."""
_TO_KEEP: Final = "application/octet-stream"
_SCRIPT: Final = "text/javascript; charset=utf-8"


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of the events; none if the site has none."""
    if context.events is None:
        return ()
    shown = [
        Route("/events", partial(_list, context, context.events)),
        Route("/events/{event}", _folder),
        Route("/events/{event}/progress.json", partial(_progress, context.events)),
        Route("/events/{event}/{path:path}", partial(_file, context, context.events)),
    ]
    return [*shown, Route("/", partial(_list, context, context.events))] if context.ladder is None else shown


async def _list(context: AppContext, events: EventFolders, request: Request) -> Response:
    listed = await trio.to_thread.run_sync(lambda: event_summaries(events.all()))
    is_open, problem = await open_events(context)
    return context.pages.render(request, "events.html.jinja", events=listed, is_open=is_open, problem=problem)


async def _folder(request: Request) -> Response:
    """Redirect to the path with a slash, so that the relative links of the folder work."""
    return RedirectResponse(f"{request.url.path}/", HTTPStatus.PERMANENT_REDIRECT)


async def _progress(events: EventFolders, request: Request) -> Response:
    """Return how far the run of an event is, for the script of its pages."""
    folder = (await trio.to_thread.run_sync(events.all)).get(request.path_params["event"])
    found = {} if folder is None else await trio.to_thread.run_sync(progress_of, folder)
    return tagged(request, json.dumps(found).encode(), JSON)


async def _file(context: AppContext, events: EventFolders, request: Request) -> Response:
    event, path = request.path_params["event"], request.path_params["path"]
    found: Path | None = await trio.to_thread.run_sync(events.find, event, path)
    if found is None and not path and context.accounts is not None:
        # Nothing is published before an event begins.
        return RedirectResponse(f"/events/{quote(event)}/entry", HTTPStatus.SEE_OTHER)
    if found is None:
        raise HTTPException(
            HTTPStatus.NOT_FOUND, english("The event {event} has no page at this address.", event=quoted(event))
        )
    own = await trio.to_thread.run_sync(_own_script, found)
    kind = _KINDS.get(found.suffix, _TO_KEEP) if own is None else _SCRIPT
    return await _unless_known(request, own or found, kind)


async def _unless_known(request: Request, path: Path, kind: str) -> Response:
    """Send a file, or status 304 if the browser names its tag."""
    headers = {"cache-control": "no-cache"}
    try:
        stat = await trio.to_thread.run_sync(path.stat)
    except OSError:
        # Somebody deleted the file after it was found: events are published anew.
        raise HTTPException(HTTPStatus.NOT_FOUND) from None
    response = FileResponse(path, media_type=kind, headers=headers, stat_result=stat)
    if has_tag(request, response.headers["etag"]):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={**headers, "etag": response.headers["etag"]})
    return response


def _own_script(path: Path) -> Path | None:
    """Return the identical script of this site, or ``None`` if the published file is none of ours.

    No other script may run: it could do at this site whatever its visitors may.
    """
    own = ASSETS / path.name
    known = path.suffix == ".js" and own.is_file() and filecmp.cmp(path, own, shallow=False)
    return own if known else None
