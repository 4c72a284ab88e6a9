"""Where a server can listen."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class AddressError(Exception):
    """What should be an address is none. The user erred."""


def split_address(address: str) -> tuple[str, int]:
    """Return the host and the port of ``HOST:PORT``, where an IPv6 host stands in brackets.

    Raises:
        AddressError: it is none.
    """
    host, colon, port = address.rpartition(":")
    if not (colon and _is_host(host) and port.isascii() and port.isdecimal() and int(port) <= 65535):
        form = "HOST:PORT, or [HOST]:PORT for IPv6, with a port from 0 to 65535"
        raise AddressError(f"an address is written {form}, not {address!r}")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _is_host(host: str) -> bool:
    """Say whether it can be a host as it is written before a port: what else has colons, grpc would read otherwise."""
    return bool(host) and (":" not in host or (host.startswith("[") and host.endswith("]")))


@contextmanager
def listened(address: str) -> Iterator[None]:
    """Listen on an address, as a server would.

    Raises:
        AddressError: it is none.
        OSError: it cannot be listened on.
    """
    host, port = split_address(address)
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as listener:
        # As servers do: what is left of connections that have ended does not stand in the way.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen()
        yield


def collide(address: str, other: str) -> bool:
    """Say whether an address that can be listened on cannot be beside another one."""
    with suppress(OSError, AddressError), listened(other):
        try:
            with listened(address):
                return False
        except (OSError, AddressError):
            return True
    return False
