"""Choices of a visitor, of language and display: a form at the foot of each page, and a cookie for each."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ordago.names import quoted
from ordago.scene import english
from ordago_web.display import DISPLAY
from ordago_web.forms import form_of
from ordago_web.languages import COOKIE, LANGUAGES
from ordago_web.pages import ROOT

_VALUES: Final[Mapping[str, Mapping[str, object]]] = {COOKIE: LANGUAGES, **DISPLAY}
_CHOSEN_SECONDS: Final = 365 * 24 * 3600
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")
"""A path of this site: browsers take two slashes, or a backslash, for the beginning of a host name."""


async def _choose(request: Request) -> Response:
    """Keep each choice in a cookie, and go back to the page that it was made on."""
    form = await form_of(request)
    chosen = {name: form[name] for name in _VALUES if name in form}
    for name, value in chosen.items():
        if value not in _VALUES[name]:
            known = ", ".join(_VALUES[name])
            refused = english(
                "{field} takes one of {names}, not {text}.", field=repr(name), names=known, text=quoted(value)
            )
            raise HTTPException(HTTPStatus.BAD_REQUEST, refused)
    back = form.get("to", "")
    answer = RedirectResponse(back if _LOCAL.fullmatch(back) else ROOT, HTTPStatus.SEE_OTHER)
    secure = request.url.scheme == "https"
    for name, value in chosen.items():
        answer.set_cookie(name, value, max_age=_CHOSEN_SECONDS, httponly=True, samesite="lax", secure=secure)
    return answer


ROUTE: Final = Route("/choices", _choose, methods=["POST"])
"""The route of the form."""
