"""The listening socket of a site. It does not need the extra ``web``: a server listens for its site."""

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordago.ops.addresses import split_address

_UNREAD_MS: Final = 20_000
"""The time after which the system breaks a connection whose peer reads nothing."""
_BACKLOG: Final = 1024
"""The limit of connections that wait to be accepted."""


class ListenError(Exception):
    """The web server cannot listen on its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address of a site."""

    address: str
    """``HOST:PORT``; port 0 for any free one."""
    certificate: Path | None = None
    """The certificate chain of the site, its own first; ``None`` without TLS."""
    key: Path | None = None
    """The private key for it."""

    @property
    def scheme(self) -> str:
        """The scheme of its addresses."""
        return "http" if self.certificate is None else "https"


def listening(address: str) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        ListenError: the address is in use, unknown or not allowed.
    """
    host, port = split_address(address)
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ListenError(f"cannot listen on {address}: {error.strerror}") from None
    try:
        # Otherwise a restarted site could not listen while connections of the last one are fading out.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Accepted sockets inherit these options.
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
