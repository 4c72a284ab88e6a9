"""Responses to calls: JSON, files, problems by RFC 9457, and error pages that say what to do."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from google.protobuf import json_format
from google.protobuf.message import Message
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ordago.names import visible
from ordago.scene import Sentence, sentence
from ordago_ladder.pages.rendering import translated
from ordago_web.access.bounds import TooManyError
from ordago_web.languages import language_of, translations
from ordago_web.pages import Pages

JSON: Final = "application/json"
PROBLEM_JSON: Final = "application/problem+json"
OCTETS: Final = "application/octet-stream"

_STATUSES: Final[Mapping[str, HTTPStatus]] = {
    "INVALID_ARGUMENT": HTTPStatus.BAD_REQUEST,
    "UNAUTHENTICATED": HTTPStatus.UNAUTHORIZED,
    "PERMISSION_DENIED": HTTPStatus.FORBIDDEN,
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    # A server without this service has no ladder.
    "UNIMPLEMENTED": HTTPStatus.NOT_FOUND,
    "FAILED_PRECONDITION": HTTPStatus.CONFLICT,
    "RESOURCE_EXHAUSTED": HTTPStatus.TOO_MANY_REQUESTS,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "DEADLINE_EXCEEDED": HTTPStatus.GATEWAY_TIMEOUT,
}


class Problem(NamedTuple):
    """The reason why a call has no answer, by RFC 9457."""

    status: HTTPStatus
    sentence: str

    def json(self) -> bytes:
        """Return the problem as the body of a response."""
        content = {"type": "about:blank", "title": self.status.phrase, "status": self.status, "detail": self.sentence}
        return json_bytes(content)


def http_status(status: str) -> HTTPStatus:
    """Translate the name of a gRPC status to HTTP. Unknown ones become 502: the server is at fault, not the request."""
    return _STATUSES.get(status, HTTPStatus.BAD_GATEWAY)


def answer_json(answer: Message) -> bytes:
    """Convert a message to JSON, with the field names of its JSON form.

    Empty fields are included, absent optional ones are not. Numbers stay numbers, bytes become Base64 and enum values
    their names.
    """
    return json_bytes(json_format.MessageToDict(answer, always_print_fields_with_no_presence=True))


def json_bytes(value: Mapping[str, object]) -> bytes:
    """Encode a value as JSON in UTF-8, without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


_TITLES: Final[Mapping[int, Sentence]] = {
    HTTPStatus.BAD_REQUEST: sentence("Invalid request"),
    HTTPStatus.UNAUTHORIZED: sentence("Sign in first"),
    HTTPStatus.FORBIDDEN: sentence("Not allowed"),
    HTTPStatus.NOT_FOUND: sentence("Page not found"),
    HTTPStatus.METHOD_NOT_ALLOWED: sentence("Method not allowed"),
    HTTPStatus.CONFLICT: sentence("Not published yet"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: sentence("Too long"),
    HTTPStatus.MISDIRECTED_REQUEST: sentence("Unknown host name"),
    HTTPStatus.TOO_MANY_REQUESTS: sentence("Too many requests"),
    HTTPStatus.INTERNAL_SERVER_ERROR: sentence("Something went wrong"),
    HTTPStatus.SERVICE_UNAVAILABLE: sentence("The server is unavailable"),
}
_DETAILS: Final[Mapping[int, str]] = {
    HTTPStatus.NOT_FOUND: sentence("There is no page at this address: check its spelling.").words,
    HTTPStatus.METHOD_NOT_ALLOWED: sentence("This address does not support the method.").words,
    HTTPStatus.INTERNAL_SERVER_ERROR: sentence(
        "The page could not be built. Try again; the site's log has the details."
    ).words,
    HTTPStatus.SERVICE_UNAVAILABLE: sentence("The match server did not answer: try again in a few seconds.").words,
}
_UNREAD: Final = sentence("The request was too long or too slow: send less, or try again.").words


class TitledError(HTTPException):
    """An error whose page has a title of its own, more exact than that of its status."""

    def __init__(self, status: HTTPStatus, detail: str, *, title: Sentence) -> None:
        """Give the status, the sentence that says what to do, and the title."""
        super().__init__(status, detail)
        self.title = title


def problem_page(
    pages: Pages,
    request: Request,
    status: int,
    detail: str = "",
    headers: Mapping[str, str] | None = None,
    *,
    title: Sentence | None = None,
) -> Response:
    """Return an error page, or a JSON problem for a client that does not accept HTML."""
    known = HTTPStatus(status)
    if not detail or detail == known.phrase:
        detail = _DETAILS.get(status, f"{known.phrase}.")
    sent = {"cache-control": "no-store", **(headers or {})}
    if "text/html" not in request.headers.get("accept", "text/html"):
        # Programs read the answers of the API, people those of the other scripts.
        is_api = request.url.path.startswith("/api")
        shown = detail if is_api else translated(detail, translations(language_of(request)).gettext)
        return Response(Problem(known, visible(shown)).json(), status, sent, PROBLEM_JSON)
    title = title or _TITLES.get(status) or sentence("{phrase}", phrase=known.phrase)
    return pages.render(request, "problem.html.jinja", status=status, headers=sent, title=title, detail=detail)


def problem_handlers(pages: Pages) -> Mapping[Any, Callable[[Request, Any], Any]]:
    """Return the exception handlers of the application."""
    return {
        HTTPException: partial(_expected, pages),
        ClientDisconnect: partial(_unread, pages),
        TooManyError: partial(_too_many, pages),
        Exception: partial(_unexpected, pages),
    }


async def _expected(pages: Pages, request: Request, error: HTTPException) -> Response:
    title = error.title if isinstance(error, TitledError) else None
    return problem_page(pages, request, error.status_code, error.detail, error.headers, title=title)


async def _unread(pages: Pages, request: Request, _error: ClientDisconnect) -> Response:
    """Answer a request whose body was too long or too slow to be read. A client that has gone does not see it."""
    return problem_page(pages, request, HTTPStatus.BAD_REQUEST, _UNREAD)


async def _too_many(pages: Pages, request: Request, error: TooManyError) -> Response:
    return problem_page(pages, request, HTTPStatus.TOO_MANY_REQUESTS, f"{error}", {"retry-after": "1"})


async def _unexpected(pages: Pages, request: Request, _error: Exception) -> Response:
    return problem_page(pages, request, HTTPStatus.INTERNAL_SERVER_ERROR)
