"""Addresses that a server can listen on."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class AddressError(Exception):
    """A text is not an address. The user erred."""


def split_address(address: str) -> tuple[str, int]:
    """Return the host and the port of ``HOST:PORT``, with an IPv6 host in brackets there.

    Raises:
        AddressError: the text is not an address.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and _is_host(host) and port.isascii() and port.isdecimal() and int(port) <= 65535):
        form = "HOST:PORT, or [HOST]:PORT for IPv6, with a port from 0 to 65535"
        raise AddressError(f"an address is written {form}, not {address!r}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _is_host(host: str) -> bool:
    """Return True for a host as written before a port. One with colons needs brackets, or gRPC would misread it."""
    return bool(host) and (":" not in host or (host.startswith("[") and host.endswith("]")))


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
