"""The site: the routes of all parts behind one security middleware."""

from collections.abc import Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ordago_web import accounts as account_pages
from ordago_web import api as api_routes
from ordago_web import documentation, event_pages
from ordago_web.analysis import routes as analysis_routes
from ordago_web.answers import problem_handlers
from ordago_web.context import AppContext
from ordago_web.ladder import pages as ladder_pages
from ordago_web.live import pages as live_pages
from ordago_web.pages import ASSETS
from ordago_web.play import pages as play_pages
from ordago_web.security import HostGate, SecurityMiddleware

_QUICK: Final = 4
"""As far as it pays to compress what is made anew for each request."""


def site(context: AppContext, gate: HostGate | None = None) -> ASGIApp:
    """Return the application that answers all requests at a site.

    Args:
        context: what its pages share.
        gate: by which names it is reached; by addresses and as ``localhost`` if ``None``.
    """
    pages = Starlette(routes=[*_common(), *routes(context)], exception_handlers=problem_handlers(context.pages))
    # What is compressed is what the middleware lets through: it says of pages that belong to somebody that they are not.
    return GZipMiddleware(SecurityMiddleware(pages, context=context, gate=gate or HostGate()), compresslevel=_QUICK)


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of all parts."""
    # What is shown first where there is no ladder stands before the pages of one.
    shown = (analysis_routes, live_pages, event_pages, ladder_pages)
    parts = (*shown, play_pages, account_pages, api_routes, documentation)
    return [route for part in parts for route in part.routes(context)]


def _common() -> Sequence[BaseRoute]:
    return [Route("/health", _health), Mount("/assets", StaticFiles(directory=ASSETS))]


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})
