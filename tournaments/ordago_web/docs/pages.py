"""The documentation at the site: an index, its pages, and the pictures on them."""

from collections.abc import Sequence
from functools import partial

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago.names import quoted
from ordago_web.context import AppContext
from ordago_web.docs.library import address_of, library


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return where the documentation is."""
    return [Route("/docs", partial(_index, context)), Route("/docs/{rest:path}", partial(_page, context))]


async def _index(context: AppContext, request: Request) -> Response:
    return context.pages.render(request, "docs/index.html.jinja", sections=await trio.to_thread.run_sync(_titles))


def _titles() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the sections with their pages: where each is, and what it is called."""
    return [
        (section.title, [(address_of(path), library().page(path).title) for path in section.paths])
        for section in library().sections
    ]


async def _page(context: AppContext, request: Request) -> Response:
    if not request.path_params["rest"]:
        return RedirectResponse("/docs")
    address = request.url.path.rstrip("/")
    picture = library().picture(address)
    if picture is not None:
        return Response(picture, media_type="image/png", headers={"Cache-Control": "public, max-age=3600"})
    path = library().paths.get(address)
    if path is None:
        raise HTTPException(404, f"There is no page {quoted(address)} in the documentation.")
    document = await trio.to_thread.run_sync(library().page, path)
    parts = [heading for heading in document.headings if heading.level == 2]
    return context.pages.render(request, "docs/page.html.jinja", document=document, parts=parts)
