"""Rendering of pages: one layout, and a tag by which a browser notices that its copy is current."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from ordago.scene import Sentence, sentence
from ordago_ladder.pages.rendering import environment
from ordago_web.assets import asset_root
from ordago_web.display import DISPLAY, display_of
from ordago_web.languages import LANGUAGES, language_of, script_catalogue, translations

ROOT: Final = "/"
HTML: Final = "text/html; charset=utf-8"
_PACKAGE: Final = "ordago_web"


class Destination(NamedTuple):
    """A link in the navigation of all pages."""

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
    """Renders the templates of this package and those that it shares with published folders."""

    def __init__(
        self,
        navigation: Sequence[Destination] = (),
        *,
        is_away: Callable[[], bool] = lambda: False,
        announcements: Callable[[], Sequence[object]] = tuple,
        origin: str = "",
        contact: str = "",
    ) -> None:
        """Render pages with a navigation.

        Args:
            navigation: the links of each page.
            is_away: returns True while the server of matches does not answer.
            announcements: returns what stands announced, as ``ladder.announcements`` has it.
            origin: the public address of the site, which previews of links need; empty if it is not known.
            contact: the link to who runs the site; empty for none.
        """
        self.origin = origin
        self._contact = contact
        self._navigation = tuple(navigation)
        self._is_away = is_away
        self._announcements = announcements

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
        """Render a page, or return status 304 if the browser has it.

        Args:
            request: the request to answer.
            name: the template.
            status: the HTTP status.
            headers: further headers.
            values: the variables of the template.
        """
        language = language_of(request)
        page = {
            "root": ROOT,
            "assets": asset_root(),
            "origin": self.origin,
            "contact": self._contact,
            # A request names the site as it likes, so that only a configured address is canonical.
            "canonical": f"{self.origin}{_sent_place(request)}" if self.origin and status == HTTPStatus.OK else "",
            "layout": "site.html.jinja",
            "navigation": self._navigation,
            "here": request.url.path,
            "is_away": self._is_away,
            "announcements": self._announcements,
            # An error may answer a form, whose address shows nothing by itself.
            "back": _place(request) if status == HTTPStatus.OK else ROOT,
            "languages": LANGUAGES,
            "display": display_of(request),
            "display_settings": DISPLAY,
            "catalogue": script_catalogue(language),
        }
        shown = environment(_PACKAGE, translations=translations(language))
        html = shown.get_template(name).render({**page, **values})
        of_language = {"content-language": language, "vary": "Accept-Language, Cookie", **(headers or {})}
        return tagged(request, html.encode(), HTML, status=status, headers=of_language)


def _place(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}".removesuffix("?")


def _sent_place(request: Request) -> str:
    """Return path and query as they were sent, percent-encoded."""
    path, query = request.scope["raw_path"], request.scope["query_string"]
    return b"?".join(part for part in (path, query) if part).decode("latin-1")


def tagged(
    request: Request, body: bytes, kind: str, *, status: int = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a body with the tag of its content, or status 304 if the browser names this tag."""
    # A weak tag: compression on the way changes the bytes, not the page.
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    sent_headers = {"cache-control": "no-cache", "etag": tag, **(headers or {})}
    if status == HTTPStatus.OK and has_tag(request, tag):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=sent_headers)
    return Response(body, status, sent_headers, kind)


def has_tag(request: Request, tag: str) -> bool:
    """Return True if the browser names this tag in ``If-None-Match``."""
    named = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    return tag.removeprefix("W/") in named
