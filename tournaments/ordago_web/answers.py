"""Answers to calls: JSON, a file, or a problem as RFC 9457 has it; a sentence that says what to do where no page is."""

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
from ordago_web.access.bounds import TooManyError
from ordago_web.pages import Pages

JSON: Final = "application/json"
PROBLEM_JSON: Final = "application/problem+json"
OCTETS: Final = "application/octet-stream"

_STATUSES: Final[Mapping[str, HTTPStatus]] = {
    "INVALID_ARGUMENT": HTTPStatus.BAD_REQUEST,
    "UNAUTHENTICATED": HTTPStatus.UNAUTHORIZED,
    "PERMISSION_DENIED": HTTPStatus.FORBIDDEN,
    "NOT_FOUND": HTTPStatus.NOT_FOUND,
    # A server that does not have the service has no ladder.
    "UNIMPLEMENTED": HTTPStatus.NOT_FOUND,
    "FAILED_PRECONDITION": HTTPStatus.CONFLICT,
    "RESOURCE_EXHAUSTED": HTTPStatus.TOO_MANY_REQUESTS,
    "UNAVAILABLE": HTTPStatus.SERVICE_UNAVAILABLE,
    "DEADLINE_EXCEEDED": HTTPStatus.GATEWAY_TIMEOUT,
}


class Problem(NamedTuple):
    """Why there is no answer."""

    status: HTTPStatus
    sentence: str

    def json(self) -> bytes:
        """Return it as the body of a response."""
        told = {"type": "about:blank", "title": self.status.phrase, "status": self.status, "detail": self.sentence}
        return json_bytes(told)


def http_status(status: str) -> HTTPStatus:
    """Return the status of HTTP for one of gRPC, by its name: what is no fault of the request is one of the server."""
    return _STATUSES.get(status, HTTPStatus.BAD_GATEWAY)


def answer_json(answer: Message) -> bytes:
    """Return a message as JSON: fields by their names there, and those that are empty too, but for absent ones.

    Numbers are numbers, bytes Base64, values of enums their names.
    """
    return json_bytes(json_format.MessageToDict(answer, always_print_fields_with_no_presence=True))


def json_bytes(value: Mapping[str, object]) -> bytes:
    """Return a value as JSON in UTF-8, without spaces."""
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
    HTTPStatus.NOT_FOUND: "Nothing is at this address: check its spelling.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not support the method.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The page could not be built. Try again; the site's log has the details.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The match server did not answer: try again in a few seconds.",
}
_UNREAD: Final = "The request was too long or too slow: send less, or try again."


def problem_page(
    pages: Pages, request: Request, status: int, detail: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """Return what is told in place of a page, as a page or, for a script, as a problem of JSON."""
    known = HTTPStatus(status)
    if not detail or detail == known.phrase:
        detail = _DETAILS.get(status, f"{known.phrase}.")
    told = {"cache-control": "no-store", **(headers or {})}
    if "text/html" not in request.headers.get("accept", "text/html"):
        return Response(Problem(known, visible(detail)).json(), status, told, PROBLEM_JSON)
    title = _TITLES.get(status) or sentence("{phrase}", phrase=known.phrase)
    return pages.render(request, "problem.html.jinja", status=status, headers=told, title=title, detail=visible(detail))


def problem_handlers(pages: Pages) -> Mapping[Any, Callable[[Request, Any], Any]]:
    """Return what answers where a page fails."""
    return {
        HTTPException: partial(_expected, pages),
        ClientDisconnect: partial(_unread, pages),
        TooManyError: partial(_too_many, pages),
        Exception: partial(_unexpected, pages),
    }


async def _expected(pages: Pages, request: Request, error: HTTPException) -> Response:
    return problem_page(pages, request, error.status_code, error.detail, error.headers)


async def _unread(pages: Pages, request: Request, _error: ClientDisconnect) -> Response:
    """Answer who sent too much or too slowly, so that it was read no further; who has gone does not hear it."""
    return problem_page(pages, request, HTTPStatus.BAD_REQUEST, _UNREAD)


async def _too_many(pages: Pages, request: Request, error: TooManyError) -> Response:
    return problem_page(pages, request, HTTPStatus.TOO_MANY_REQUESTS, f"{error}", {"retry-after": "1"})


async def _unexpected(pages: Pages, request: Request, _error: Exception) -> Response:
    return problem_page(pages, request, HTTPStatus.INTERNAL_SERVER_ERROR)
