"""HTTP/1.1 as a site reads it: heads that can be read in one way only, and no other protocol on a connection.

h11 is lenient where old clients were. A proxy that is lenient elsewhere would then see other requests in the same bytes
than the site does (request smuggling), so what RFC 9112 lets a server refuse is refused. There is no way from here to
HTTP/2 or to WebSockets: whoever wants HTTP/2 puts a proxy in front, which is made for it.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, TypeAlias

import h11

HEAD_BYTES: Final = 16_384
"""How long the head of a request may be, with its empty line."""
_MOST_FIELDS: Final = 100
"""A browser sends some twenty. h11 takes a few microseconds for each, and 16 KiB have room for thousands."""
_END: Final = b"\r\n\r\n"
_ONCE: Final = (b"host", b"content-length", b"transfer-encoding")
"""What frames a request, or says whom it is for, cannot be said twice, be it alike."""
_Field: TypeAlias = tuple[bytes, bytes]


class StrictConnection(h11.Connection):
    """The server's side of a connection. ``next_event`` refuses a request by a ``RemoteProtocolError``."""

    def __init__(self) -> None:
        """Begin before the first request."""
        super().__init__(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return what came next.

        Raises:
            h11.RemoteProtocolError: it is nothing that a site reads; ``error_status_hint`` says with which status that
                is answered.
        """
        if self.their_state is h11.IDLE:
            _check_head(self.trailing_data[0])
        event = super().next_event()
        return _without_upgrade(event) if isinstance(event, h11.Request) else event


def _check_head(came: bytes) -> None:
    """Refuse what has come of the head of a request, if it is no good."""
    head, end, _ = came.partition(_END)
    if len(head) + len(end) > HEAD_BYTES:
        raise _refusal("the head is too long", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    # The last byte may be the first half of the end of a line.
    if head.count(b"\n") != head.count(b"\r\n") or head.count(b"\r", 0, -1) > head.count(b"\r\n"):
        raise _refusal("a line ends by half of what ends one")
    if end:
        _check_lines(head.split(b"\r\n"))


def _check_lines(lines: Sequence[bytes]) -> None:
    _check_request_line(lines[0])
    if len(lines) - 1 > _MOST_FIELDS:
        raise _refusal("there are too many fields", HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
    if any(line.startswith((b" ", b"\t")) for line in lines[1:]):
        raise _refusal("a field is folded")
    _check_framing([_field(line) for line in lines[1:]])


def _check_request_line(line: bytes) -> None:
    _, _, rest = line.partition(b" ")
    target, _, version = rest.partition(b" ")
    if version.startswith(b"HTTP/") and version not in (b"HTTP/1.0", b"HTTP/1.1"):
        raise _refusal("it is no HTTP/1.1", HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
    if not target.startswith(b"/"):
        # Whole addresses are for proxies, and say for a second time whom the request is for.
        raise _refusal("the target is no path")


def _field(line: bytes) -> _Field:
    name, _, value = line.partition(b":")
    return name.lower(), value.strip(b" \t")


def _check_framing(fields: Sequence[_Field]) -> None:
    said = [field for field in fields if field[0] in _ONCE]
    framing = dict(said)
    if len(framing) < len(said):
        raise _refusal("what can be said once is said twice")
    if not framing.get(b"content-length", b"0").isdigit():
        raise _refusal("the length is no number")
    if b"transfer-encoding" in framing:
        # What browsers send to a site has a length. For 64 KiB of chunks of a byte each nobody else was answered for
        # 200 ms.
        both = b"content-length" in framing
        raise _refusal("a body has to have a length", HTTPStatus.BAD_REQUEST if both else HTTPStatus.LENGTH_REQUIRED)


def _without_upgrade(request: h11.Request) -> h11.Request:
    """Return a request without the wish to go on by another protocol: a server may ignore it (RFC 9110, 7.8)."""
    return h11.Request(
        method=request.method,
        target=request.target,
        headers=[field for field in request.headers if field[0] not in (b"upgrade", b"http2-settings")],
        http_version=request.http_version,
    )


def _refusal(why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> h11.RemoteProtocolError:
    return h11.RemoteProtocolError(why, error_status_hint=status)
