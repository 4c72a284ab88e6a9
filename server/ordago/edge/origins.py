"""Addresses of the other ends of connections, in the forms of grpc and of sockets."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import unquote

_IPV6_HOST_BITS: Final = 64


class Endpoint(NamedTuple):
    """The other end of a connection."""

    address: IPv4Address | IPv6Address
    port: int

    @property
    def origin(self) -> str:
        """The address, or the /64 network of an IPv6 address, since a host usually has a whole one to itself."""
        if isinstance(self.address, IPv4Address):
            return str(self.address)
        return str(IPv6Network((int(self.address), _IPV6_HOST_BITS), strict=False))


def endpoint(host: str, port: int) -> Endpoint:
    """Return the end of a connection; an IPv4 address mapped to IPv6 becomes IPv4.

    Raises:
        ValueError: ``host`` is no IP address.
    """
    address = ip_address(host)
    return Endpoint(getattr(address, "ipv4_mapped", None) or address, port)


def endpoint_of(peer: str) -> Endpoint | None:
    """Return the other end of a connection from its grpc name; ``None`` without IP address, as for a Unix socket."""
    family, _, rest = unquote(peer).partition(":")
    host, _, port = rest.rpartition(":")
    if family not in ("ipv4", "ipv6"):
        return None
    try:
        return endpoint(host.strip("[]"), int(port))
    except ValueError:
        return None


def origin_of(peer: str) -> str:
    """Return the address or IPv6 network of a peer as grpc names it; ``peer`` itself if it has no IP address."""
    end = endpoint_of(peer)
    return peer if end is None else end.origin
