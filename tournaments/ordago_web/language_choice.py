"""The choice of a language by a visitor: a form at the foot of each page, and a cookie."""

import re
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ordago.scene import english
from ordago_web.accounts import form_of
from ordago_web.languages import COOKIE, LANGUAGES
from ordago_web.pages import ROOT

_CHOSEN_SECONDS: Final = 365 * 24 * 3600
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")
"""A path of this site: browsers take two slashes, or a backslash, for the beginning of a host name."""


async def _choose(request: Request) -> Response:
    """Keep the language in a cookie, and go back to the page that the choice was made on."""
    form = await form_of(request)
    language, back = form.get("language", ""), form.get("to", "")
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise HTTPException(
            HTTPStatus.BAD_REQUEST,
            english("There is no such language of this site: choose one of {names}.", names=known),
        )
    answer = RedirectResponse(back if _LOCAL.fullmatch(back) else ROOT, HTTPStatus.SEE_OTHER)
    answer.set_cookie(
        COOKIE, language, max_age=_CHOSEN_SECONDS, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )
    return answer


ROUTE: Final = Route("/language", _choose, methods=["POST"])
"""The route of the form."""
