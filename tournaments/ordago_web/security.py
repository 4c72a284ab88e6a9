"""The security middleware: refuses requests, bounds their bodies, and adds the security headers."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from math import ceil
from typing import Final
from urllib.parse import SplitResult, urlsplit

import trio
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ordago.scene import english
from ordago_web.access.bounds import origin_of_host
from ordago_web.access.turns import ASKER
from ordago_web.access.visitors import SLOT
from ordago_web.answers import problem_page
from ordago_web.context import AppContext

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
FRAMED: Final = "ordago.framed"
"""The key in the scope of a request by which a page lets other sites frame it. Nothing in such a page acts."""
_OF_FRAMED: Final = {name: value for name, value in _HEADERS.items() if name != "x-frame-options"} | {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors *"
    ),
}
_SHARED: Final = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "ETag, Retry-After",
    "cross-origin-resource-policy": "cross-origin",
}
"""The headers by which pages of other sites may read an answer. ``*`` keeps cookies out of the request."""
_HOST: Final = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(:[0-9]{1,5})?", re.ASCII)
_READING: Final = ("GET", "HEAD", "OPTIONS")
"""The methods that change nothing."""
_LONGEST_ADDRESS: Final = 4096
_MOST_BODY_BYTES: Final = 16_384
"""Twice the longest form, that of a new match."""
EVENT_FILE: Final = "/organise/new"
"""The place that takes event files, of accounts that are signed in alone."""
_MOST_FILE_BYTES: Final = 262_144
"""The longest event file of 64 KiB, percent-encoded, with the fields of its form."""
_BODY_SECONDS: Final = 10.0
"""The time for the whole body of a request."""
_MOST_DIGITS: Final = 10
"""Digits of a length that are parsed: ten exceed any limit already."""
_UNREAD_SECONDS: Final = 20.0
_SLOWEST_BYTES_PER_SECOND: Final = 4096
"""The slowest reading that is accepted, after the first ``_UNREAD_SECONDS``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGate:
    """The host names of a site, and whether a proxy forwards its requests."""

    hosts: Collection[str] = ()
    """Accepted host names, besides ``localhost`` and IP addresses."""
    forwarded: bool = False
    """True behind a proxy, whose last entry in ``X-Forwarded-For`` names the client."""

    def takes(self, name: str) -> bool:
        """Return True if the site has this host name. The check stops DNS rebinding by foreign domains."""
        return name == "localhost" or name in self.hosts or _is_address(name)

    def origin(self, request: Request) -> str:
        """Return the address that a request comes from."""
        client = request.client.host if request.client is not None else ""
        if self.forwarded:
            # A proxy may add a header of its own after those of the browser.
            forwarded = request.headers.getlist("x-forwarded-for") or [client]
            client = forwarded[-1].rpartition(",")[2].strip()
        return origin_of_host(client)


def host_name(host: str) -> str | None:
    """Return the name in a ``Host`` header, lower case and without its port; ``None`` if the header is malformed."""
    written = _HOST.fullmatch(host)
    return None if written is None else written["name"].strip("[]").lower()


def _split(address: str) -> SplitResult:
    """Split an address; all parts are empty if it is malformed."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class SecurityMiddleware:
    """ASGI middleware in front of all pages."""

    def __init__(self, app: ASGIApp, context: AppContext, gate: HostGate) -> None:
        """Wrap an application."""
        self._app = app
        self._context = context
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # The site has no WebSockets, and a client that breaks off during the refusal is not our error.
            with suppress(Exception):
                await send({"type": "websocket.close"})
            return
        request = Request(scope)
        request.state.origin = self._gate.origin(request)
        body = _Body(receive, self._most_bytes(request))

        async def send_headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._head(request, message)
            with trio.move_on_after(_seconds_for(message)) as patience:
                await send(message)
            if patience.cancelled_caught:
                answering.cancel()

        with trio.CancelScope() as answering:
            await self._answer(request, body, send_headed)

    def _most_bytes(self, request: Request) -> int:
        """Return the longest body that is taken."""
        if request.url.path == EVENT_FILE and self._context.sessions.of(request).account is not None:
            return _MOST_FILE_BYTES
        return _MOST_BODY_BYTES

    async def _answer(self, request: Request, body: "_Body", send: Send) -> None:
        ASKER.set(request.state.origin)
        status, detail, headers = self._objection(request, most=body.most)
        if status:
            response = problem_page(self._context.pages, request, status, detail, headers)
            await response(request.scope, body.receive, send)
        else:
            await self._app(request.scope, body.receive, send)

    def _objection(self, request: Request, *, most: int) -> tuple[int, str, dict[str, str]]:
        """Return the reason to refuse a request: status, sentence and headers. Status 0 if it is acceptable."""
        host = request.headers.get("host", "")
        if (name := host_name(host)) is None:
            return HTTPStatus.BAD_REQUEST, english("The request names no host."), {}
        if not self._gate.takes(name):
            return (
                HTTPStatus.MISDIRECTED_REQUEST,
                english(
                    "The operator can allow the name with --origin of ordago web, or --web-origin of ordago serve."
                ),
                {},
            )
        if len(request.scope.get("raw_path") or b"") + len(request.scope["query_string"]) > _LONGEST_ADDRESS:
            return HTTPStatus.BAD_REQUEST, english("The address is too long."), {}
        if "\0" in request.scope["path"]:
            return HTTPStatus.NOT_FOUND, "", {}
        if b"%00" in request.scope["query_string"]:
            return HTTPStatus.BAD_REQUEST, english("The address contains an invalid character."), {}
        writes = request.method not in _READING
        wait = self._context.limits.take(request.state.origin, writes=writes)
        if wait:
            seconds = str(ceil(wait))
            sentence = english("Too many requests from your address: try again in {seconds} s.", seconds=seconds)
            return HTTPStatus.TOO_MANY_REQUESTS, sentence, {"retry-after": seconds}
        if writes and not _is_from_here(request, host):
            return HTTPStatus.FORBIDDEN, "The request came from a page of another site.", {}
        if _length(request) > most:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {most} bytes can be sent.", {}
        return 0, "", {}

    def _head(self, request: Request, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in _headers_for(request).items():
            headers.setdefault(name, value)
        if SLOT in request.scope:
            # Caches must not store personal pages. Uncompressed, so that lengths do not leak the CSRF token (BREACH).
            headers["cache-control"] = "private, no-store"
            headers.setdefault("content-encoding", "identity")
        if "location" in headers:
            headers["location"] = _within(request, headers["location"])
        cookie = self._context.sessions.cookie(request)
        if cookie is not None:
            headers.append("set-cookie", cookie)


def _headers_for(request: Request) -> Mapping[str, str]:
    if FRAMED in request.scope and SLOT not in request.scope:
        return _OF_FRAMED
    return _HEADERS | _SHARED if _is_shared(request) else _HEADERS


def _is_shared(request: Request) -> bool:
    """Return True if pages of other sites may read the answer: calls of the API alone, which know no visitor."""
    return request.method in _READING and request.url.path.startswith("/api/") and SLOT not in request.scope


def _is_from_here(request: Request, host: str) -> bool:
    """Return True if a request that changes something comes from a page of this site, as far as the browser says."""
    origin = request.headers.get("origin")
    if origin is not None:
        return _split(origin).netloc == host
    return request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def _seconds_for(message: Message) -> float:
    """Return the seconds in which a part of a response has to be sent."""
    return _UNREAD_SECONDS + len(message.get("body", b"")) / _SLOWEST_BYTES_PER_SECOND


def _within(request: Request, address: str) -> str:
    """Make a redirect to this site relative: a proxy may speak TLS while we do not."""
    here = f"{request.url.scheme}://{request.url.netloc}/"
    return f"/{address.removeprefix(here).lstrip('/')}" if address.startswith(here) else address


def _length(request: Request) -> int:
    """Return the announced length of a body, 0 if there is none. The body is bounded again while it is read."""
    text = request.headers.get("content-length", "")
    return int(text[:_MOST_DIGITS]) if text.isascii() and text.isdigit() else 0


class _Body:
    """The body of a request, bounded in size and time."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self.most = self._left = most
        self._begun: float | None = None
        self._whole = False

    async def receive(self) -> Message:
        """Return the next message, or a disconnect if the body is too long or too slow."""
        if self._whole:
            # Only the disconnect is left, which may take hours.
            return await self._receive()
        self._begun = trio.current_time() if self._begun is None else self._begun
        message: Message = {"type": "http.disconnect"}
        with trio.move_on_at(self._begun + _BODY_SECONDS):
            message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            return {"type": "http.disconnect"}
        self._whole = not message.get("more_body", False)
        return message
