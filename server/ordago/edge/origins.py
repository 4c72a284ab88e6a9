"""Where connections come from, as grpc and as sockets name it."""

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
        """The address; of an IPv6 address its network, since a host has a whole one to itself."""
        if isinstance(self.address, IPv4Address):
            return str(self.address)
        return str(IPv6Network((int(self.address), _IPV6_HOST_BITS), strict=False))


def endpoint(host: str, port: int) -> Endpoint:
    """Return the end of a connection; an IPv4 address may stand there as one of IPv6.

    Raises:
        ValueError: the host is no address.
    """
    address = ip_address(host)
    return Endpoint(getattr(address, "ipv4_mapped", None) or address, port)


def endpoint_of(peer: str) -> Endpoint | None:
    """Return the other end of a connection as grpc names it; nothing for a Unix socket, and whatever else has none."""
    family, _, rest = unquote(peer).partition(":")
    host, _, port = rest.rpartition(":")
    if family not in ("ipv4", "ipv6"):
        return None
    try:
        return endpoint(host.strip("[]"), int(port))
    except ValueError:
        return None


def origin_of(peer: str) -> str:
    """Return where a peer comes from, as grpc names it: its address, or its network, or, where it has none, itself."""
    end = endpoint_of(peer)
    return peer if end is None else end.origin
