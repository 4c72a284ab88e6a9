"""A strict HTTP/1.1 parser: request heads have one reading only, and no other protocol is accepted.

h11 is as lenient as old clients need. A proxy that is lenient in other ways would then see other requests in the same
bytes than the site does (request smuggling). So this parser refuses all that RFC 9112 lets a server refuse. HTTP/2 and
WebSockets are not supported; a proxy in front can offer HTTP/2.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, TypeAlias

import h11

HEAD_BYTES: Final = 16_384
"""The limit of a request head, with its empty line."""
_MOST_FIELDS: Final = 100
"""A browser sends some twenty. h11 takes a few microseconds for each, and 16 KiB hold thousands."""
_END: Final = b"\r\n\r\n"
_ONCE: Final = (b"host", b"content-length", b"transfer-encoding")
"""Fields that frame or route a request must not be repeated, even with equal values."""
_Field: TypeAlias = tuple[bytes, bytes]


class StrictConnection(h11.Connection):
    """The server side of a connection. ``next_event`` refuses a request with a ``RemoteProtocolError``."""

    def __init__(self) -> None:
        """Begin before the first request."""
        super().__init__(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event.

        Raises:
            h11.RemoteProtocolError: the request is refused; ``error_status_hint`` is the status for the response.
        """
        if self.their_state is h11.IDLE:
            _check_head(self.trailing_data[0])
        event = super().next_event()
        return _without_upgrade(event) if isinstance(event, h11.Request) else event


def _check_head(came: bytes) -> None:
    """Refuse a request head, possibly incomplete, if it is malformed."""
    head, end, _ = came.partition(_END)
    if len(head) + len(end) > HEAD_BYTES:
        raise _refusal("the head is too long", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    # The last byte may be the first half of a line end.
    if head.count(b"\n") != head.count(b"\r\n") or head.count(b"\r", 0, -1) > head.count(b"\r\n"):
        raise _refusal("a line ends with CR or LF alone")
    if end:
        _check_lines(head.split(b"\r\n"))


def _check_lines(lines: Sequence[bytes]) -> None:
    _check_request_line(lines[0])
    if len(lines) - 1 > _MOST_FIELDS:
        raise _refusal("there are too many header fields", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    if any(line.startswith((b" ", b"\t")) for line in lines[1:]):
        raise _refusal("a header field is folded")
    _check_framing([_field(line) for line in lines[1:]])


def _check_request_line(line: bytes) -> None:
    _, _, rest = line.partition(b" ")
    target, _, version = rest.partition(b" ")
    if version.startswith(b"HTTP/") and version not in (b"HTTP/1.0", b"HTTP/1.1"):
        raise _refusal("it is not HTTP/1.1", HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
    if not target.startswith(b"/"):
        # Absolute addresses are for proxies, and name the host a second time.
        raise _refusal("the target is not a path")


def _field(line: bytes) -> _Field:
    name, _, value = line.partition(b":")
    return name.lower(), value.strip(b" \t")


def _check_framing(fields: Sequence[_Field]) -> None:
    said = [field for field in fields if field[0] in _ONCE]
    framing = dict(said)
    if len(framing) < len(said):
        raise _refusal("a header field that may occur once occurs twice")
    if not framing.get(b"content-length", b"0").isdigit():
        raise _refusal("the length is not a number")
    if b"transfer-encoding" in framing:
        # Browsers always send a length. Parsing 64 KiB in chunks of a byte each blocked all other requests for 200 ms.
        both = b"content-length" in framing
        raise _refusal("a body needs a length", HTTPStatus.BAD_REQUEST if both else HTTPStatus.LENGTH_REQUIRED)


def _without_upgrade(request: h11.Request) -> h11.Request:
    """Remove the request for another protocol, which a server may ignore (RFC 9110, 7.8)."""
    return h11.Request(
        method=request.method,
        target=request.target,
        headers=[field for field in request.headers if field[0] not in (b"upgrade", b"http2-settings")],
        http_version=request.http_version,
    )


def _refusal(why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> h11.RemoteProtocolError:
    return h11.RemoteProtocolError(why, error_status_hint=status)
