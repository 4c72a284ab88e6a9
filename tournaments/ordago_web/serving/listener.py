"""Where a site listens. It needs nothing of the extra ``web``: a server listens for its site."""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.ops.addresses import split_address

_UNREAD_MS: Final = 20_000
"""For so long may lie unread what was sent; then the system breaks the connection."""
_BACKLOG: Final = 1024


class ListenError(Exception):
    """The web server cannot listen where it was told to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a site is served."""

    address: str
    """``HOST:PORT``; port 0 for any."""
    certificate: Path | None = None
    """The certificates of the site, its own first; ``None`` without TLS."""
    key: Path | None = None
    """The private key for it."""

    @property
    def scheme(self) -> str:
        """What its addresses begin with."""
        return "http" if self.certificate is None else "https"


def listening(address: str) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        ListenError: it cannot be listened on.
    """
    host, port = split_address(address)
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ListenError(f"cannot listen on {address}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # What is accepted has these, too.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MS)
        listener.bind(place)
        listener.listen(_BACKLOG)
        listener.setblocking(False)  # noqa: FBT003 - the name is the library's
    except OSError as error:
        listener.close()
        raise ListenError(f"cannot listen on {address}: {error.strerror}") from None
    return listener


def address_of(listener: socket.socket, place: Place) -> str:
    """Return the address of a site for a browser on this machine."""
    host = place.address.rpartition(":")[0]
    return f"{place.scheme}://{host}:{listener.getsockname()[1]}/"
