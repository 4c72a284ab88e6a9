"""How a page of the site is rendered and sent: in one layout, with a tag by which a browser sees that it has it."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

import ordago_ladder
from ordago.scene import Sentence, sentence
from ordago_ladder.pages.rendering import environment

ROOT: Final = "/"
HTML: Final = "text/html; charset=utf-8"
ASSETS: Final = Path(ordago_ladder.__file__).parent / "assets"
"""Where the styles, scripts and pictures of all pages lie."""
_PACKAGE: Final = "ordago_web"


class Destination(NamedTuple):
    """Where the navigation of all pages leads to."""

    text: Sentence
    place: str


LADDER: Final = (
    Destination(sentence("Ladder"), "/"),
    Destination(sentence("Matches"), "/matches"),
    Destination(sentence("Live"), "/live"),
)
EVENTS: Final = (Destination(sentence("Events"), "/events"),)
PLAY: Final = (Destination(sentence("Play"), "/play"),)
DOCUMENTATION: Final = (Destination(sentence("Docs"), "/docs"),)
ACCOUNT: Final = (Destination(sentence("Account"), "/account"),)


class Pages:
    """Renders the pages of a site by the templates of this package and those that published folders have too."""

    def __init__(self, navigation: Sequence[Destination] = (), *, is_away: Callable[[], bool] = lambda: False) -> None:
        """Render pages that lead to each other.

        Args:
            navigation: where each page leads to.
            is_away: says whether the server that pages are about gives no answer now.
        """
        self._navigation = tuple(navigation)
        self._is_away = is_away

    def render(
        self,
        request: Request,
        name: str,
        /,
        *,
        status: int = HTTPStatus.OK,
        headers: Mapping[str, str] | None = None,
        **values: Any,  # noqa: ANN401 - whatever the template is about
    ) -> Response:
        """Return a page, or that the browser has it already.

        Args:
            request: what is answered.
            name: the template.
            status: the status that it is sent with.
            headers: further headers.
            values: what the template is told.
        """
        page = {
            "root": ROOT,
            "layout": "site.html.jinja",
            "navigation": self._navigation,
            "here": request.url.path,
            "is_away": self._is_away,
        }
        html = environment(_PACKAGE).get_template(name).render({**page, **values})
        return tagged(request, html.encode(), HTML, status=status, headers=headers)


def tagged(
    request: Request, body: bytes, kind: str, *, status: int = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a body with a tag of what is in it, or, where the browser names this tag, only that nothing changed."""
    # What is compressed on the way is the same page by another body: the tag is a weak one.
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    told = {"cache-control": "no-cache", "etag": tag, **(headers or {})}
    if status == HTTPStatus.OK and has_tag(request, tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=told)
    return Response(body, status, told, kind)


def has_tag(request: Request, tag: str) -> bool:
    """Say whether a browser names a tag of what it has."""
    named = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    return tag.removeprefix("W/") in named
