"""The documentation at a site: the pages that ``make docs`` builds, or a page that says how to build them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from ordago_web.assets import CachedFiles
from ordago_web.context import AppContext

_PACKAGED: Final = Path(__file__).with_name("built_docs")
_OF_CHECKOUT: Final = Path(__file__).parents[2] / "out" / "docs"


def built_pages() -> Path | None:
    """Return the folder of the built pages, installed or in the checkout; ``None`` if they are not built."""
    return next((folder for folder in (_PACKAGED, _OF_CHECKOUT) if (folder / "index.html").exists()), None)


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return the routes of the documentation."""
    if context.documentation is None:
        how_to_build = partial(_how_to_build, context)
        return [Route("/docs", how_to_build), Route("/docs/{page:path}", how_to_build)]
    return [Mount("/docs", CachedFiles("no-cache", directory=context.documentation, html=True))]


async def _how_to_build(context: AppContext, request: Request) -> Response:
    return context.pages.render(request, "documentation.html.jinja")
