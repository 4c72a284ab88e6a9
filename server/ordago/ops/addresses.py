"""Addresses that a server can listen on."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ordago.addresses import AddressError, parse_address


def split_address(address: str, *, least_port: int = 0) -> tuple[str, int]:
    """Return the host and the port of ``HOST:PORT``, with an IPv6 host in brackets there; port 0 is any free one.

    Raises:
        AddressError: the text is not an address.
    """
    form = "HOST:PORT, or [IPv6]:PORT"
    try:
        host, port, path = parse_address(address, least_port=least_port)
    except AddressError as error:
        raise AddressError(f"{address!r} is not {form}: {error}") from None
    if path:
        raise AddressError(f"{address!r} is not {form}: a socket in the file system is nothing to listen on here")
    return host, port


@contextmanager
def listened(address: str) -> Iterator[None]:
    """Listen on an address in this context, as a server would.

    Raises:
        AddressError: the text is not an address.
        OSError: it cannot be listened on.
    """
    host, port = split_address(address)
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as listener:
        # As servers do, so that closed connections in TIME_WAIT do not block the address.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen()
        yield


def collide(address: str, other: str) -> bool:
    """Return True if an address cannot be listened on while another one is. False if the other one cannot be at all."""
    with suppress(OSError, AddressError), listened(other):
        try:
            with listened(address):
                return False
        except (OSError, AddressError):
            return True
    return False
