"""The application of the site: the routes of all parts behind the security middleware."""

from collections.abc import Sequence
from typing import Final

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from ordago_web import accounts as account_pages
from ordago_web import api as api_routes
from ordago_web import assets, choices, documentation, entry_pages, event_pages
from ordago_web.analysis import routes as analysis_routes
from ordago_web.answers import problem_handlers
from ordago_web.context import AppContext
from ordago_web.ladder import pages as ladder_pages
from ordago_web.live import pages as live_pages
from ordago_web.organise import pages as organise_pages
from ordago_web.play import pages as play_pages
from ordago_web.play.lessons import pages as lesson_pages
from ordago_web.security import HostGate, SecurityMiddleware

_QUICK: Final = 4
"""The gzip level for pages that are made anew for each request; higher ones cost more time than they save."""


def site(context: AppContext, gate: HostGate | None = None) -> ASGIApp:
    """Return the application that answers all requests.

    Args:
        context: the state that its pages share.
        gate: the accepted host names; ``localhost`` and IP addresses if ``None``.
    """
    pages = Starlette(routes=[*_common(), *routes(context)], exception_handlers=problem_handlers(context.pages))
    # Compression wraps the security middleware, which excludes personal pages from it.
    return GZipMiddleware(SecurityMiddleware(pages, context=context, gate=gate or HostGate()), compresslevel=_QUICK)


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of all parts."""
    # The start page of a site without a ladder has to precede that of the ladder.
    # Entry to an event has a path like that of a published file.
    shown = (analysis_routes, live_pages, entry_pages, event_pages, ladder_pages)
    parts = (*shown, lesson_pages, play_pages, account_pages, organise_pages, api_routes, documentation)
    return [route for part in parts for route in part.routes(context)]


def _common() -> Sequence[BaseRoute]:
    return [Route("/health", _health), *assets.routes(), choices.ROUTE]


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"}, headers={"cache-control": "no-store"})
