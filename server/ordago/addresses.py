"""Addresses of servers, as a command line names them: ``HOST:PORT``, ``[IPv6]:PORT`` or ``unix:PATH``.

All SDKs read the same grammar; ``clients/vectors`` has it in words and as cases. The libraries beneath do not: of two
that are given ``http://host``, ``host:1:2`` or a port of 73087, one refuses it, one tries it for ever, and one cuts the
port to its last 16 bits and sends a token there. So nothing reaches them that this module has not read.
"""

import re
from ipaddress import AddressValueError, IPv6Address
from typing import Final, NamedTuple
from urllib.parse import quote

_UNIX: Final = "unix:"
_LONGEST_PATH_BYTES: Final = 107
"""The room for a path in ``sockaddr_un``, but for the zero at its end."""
_LONGEST_HOST: Final = 253
"""The longest name that the domain name system can carry (RFC 1035, 2.3.4)."""
_GREATEST_PORT: Final = 65535
_LABEL: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
_PORT: Final = re.compile(r"0|[1-9][0-9]{0,4}")


class AddressError(Exception):
    """A text is not an address; the message gives the reason. The user erred."""


class Address(NamedTuple):
    """An address of a server: a host and a port, or the path of a Unix socket."""

    host: str
    """A name or an IP address, without brackets; empty with a path."""
    port: int
    """The port; 0 with a path, or for any free one."""
    path: str = ""
    """The path of the Unix socket; empty with a host."""

    @property
    def target(self) -> str:
        """The address as gRPC takes it. It would take a host named ``dns`` for a scheme, and unescapes paths."""
        if self.path:
            return _UNIX + quote(self.path, safe="/")
        return f"dns:///{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def parse_address(text: str, *, least_port: int = 1) -> Address:
    """Parse an address.

    Args:
        text: ``HOST:PORT``, ``[IPv6]:PORT`` or ``unix:PATH``. Nothing is trimmed.
        least_port: the smallest port; 0 for an address to listen on, where that means any free one.

    Raises:
        AddressError: the text is not an address.
    """
    if not text:
        raise AddressError("it is empty")
    if text.startswith(_UNIX):
        return Address("", 0, _parse_path(text.removeprefix(_UNIX)))
    if "://" in text:
        raise AddressError("it is a URL")
    host, port = _bracketed(text) if text.startswith("[") else _plain(text)
    if not port:
        raise AddressError("it has no port")
    if not (_PORT.fullmatch(port) and least_port <= int(port) <= _GREATEST_PORT):
        raise AddressError(f"the port is not a number from {least_port} to {_GREATEST_PORT}")
    if ":" not in host and not _is_host(host):
        raise AddressError("the host is neither a name nor an IPv4 address")
    return Address(host, int(port))


def _parse_path(path: str) -> str:
    if not path:
        raise AddressError("the path is empty")
    if path.startswith(("//", "@")):
        raise AddressError("the path begins with // or @")
    if any(sign in path for sign in "\0\n\r"):
        raise AddressError("the path has a NUL or a line end")
    if len(path.encode(errors="surrogateescape")) > _LONGEST_PATH_BYTES:
        raise AddressError(f"the path is longer than {_LONGEST_PATH_BYTES} bytes")
    return path


def _bracketed(text: str) -> tuple[str, str]:
    """Return the host and the port of ``[IPv6]:PORT``; the port is empty if there is none."""
    host, closed, rest = text.removeprefix("[").partition("]")
    if not (closed and _is_ipv6(host)):
        raise AddressError("the brackets do not hold an IPv6 address")
    return host, rest.removeprefix(":") if rest.startswith(":") else ""


def _is_ipv6(host: str) -> bool:
    """Return True for an IPv6 address without a zone, which not all libraries take."""
    try:
        return IPv6Address(host).scope_id is None
    except AddressValueError:
        return False


def _plain(text: str) -> tuple[str, str]:
    host, _, port = text.partition(":")
    if ":" in port:
        raise AddressError("only an IPv6 address has more than one colon, in brackets")
    return host, port


def _is_host(host: str) -> bool:
    """Return True for an IPv4 address or a name. Resolvers take numbers such as ``127.1`` for addresses, too."""
    labels = host.split(".")
    if labels[-1].isdigit():
        return bool(_IPV4.fullmatch(host))
    return len(host) <= _LONGEST_HOST and all(map(_LABEL.fullmatch, labels))
