"""One POST request to a URL that somebody else has written.

An organiser's own run may post anywhere. A server that runs the events of other people posts only to the hosts that its
operator allows, and never to an address of its machine or network: a name is resolved once, all its addresses have to
be public, and the connection goes to one that was checked. Redirects are not followed, and no proxy is used.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Collection, Mapping
from typing import Final

from ordago_ladder.settings.webhooks import PORTS, Receiver, receiver_of

SECONDS: Final = 10.0
"""The longest wait for each step of a request."""
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_AGAIN: Final = frozenset({408, 425, 429})
"""The statuses from 400 to 499 after which the same request may succeed later."""


class RefusedError(Exception):
    """The receiver will not take this request later either, or must not be connected to."""


class FailedError(Exception):
    """The request failed, and may succeed later."""

    def __init__(self, reason: str, *, after: float = 0.0) -> None:
        """Take a reason, and the seconds that the receiver asks to wait."""
        super().__init__(reason)
        self.after = after


def is_public(address: str) -> bool:
    """Return True if an IP address belongs to neither this machine, nor its network, nor a group."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        # Each of these forms leads to an address of IPv4, maybe a private one.
        if ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        elif ip.sixtofour is not None or ip.teredo is not None or ip in _NAT64:
            return False
    return ip.is_global and not ip.is_multicast


def post(url: str, body: bytes, headers: Mapping[str, str], *, hosts: Collection[str] | None) -> None:
    """Post a body of JSON to a URL. It takes a few seconds at most in each step.

    Args:
        url: the URL.
        body: the body.
        headers: headers in addition to those of every request.
        hosts: the hosts that may be posted to, in lower case, by https and at public addresses; ``None`` for anywhere.

    Raises:
        RefusedError: it is no use to try again.
        FailedError: it may succeed later.
    """
    receiver = receiver_of(url)
    connection = _Connection(receiver, _address_of(receiver, hosts))
    try:
        sent = {"Content-Type": "application/json", "User-Agent": "ordago", **headers}
        connection.request("POST", receiver.target, body, sent)
        with connection.getresponse() as response:
            _check(response)
    except ssl.SSLCertVerificationError as error:
        raise FailedError(f"its certificate is not accepted: {error.verify_message}") from None
    except (OSError, http.client.HTTPException) as error:
        raise FailedError(f"it cannot be reached: {_reason(error)}") from None
    finally:
        connection.close()


def _address_of(receiver: Receiver, hosts: Collection[str] | None) -> tuple[str, int]:
    if hosts is not None and (receiver.scheme != "https" or receiver.host not in hosts):
        raise RefusedError("this server does not announce there")
    try:
        found = socket.getaddrinfo(receiver.host, receiver.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise FailedError(f"its name cannot be resolved: {_reason(error)}") from None
    addresses = [str(place[0]) for *_, place in found]
    if hosts is not None and not all(map(is_public, addresses)):
        raise RefusedError("it has an address of this machine or its network")
    return addresses[0], receiver.port


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _check(response: http.client.HTTPResponse) -> None:
    status = f"it answered {response.status} {http.client.responses.get(response.status, '')}".rstrip()
    if 200 <= response.status < 300:
        return
    if response.status >= 500 or response.status in _AGAIN:
        wait = response.headers.get("Retry-After", "")
        raise FailedError(status, after=float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 6 else 0.0)
    raise RefusedError(status)


class _Connection(http.client.HTTPConnection):
    """A connection to an address that was checked, for the name that it was found by."""

    def __init__(self, receiver: Receiver, address: tuple[str, int]) -> None:
        super().__init__(receiver.host, receiver.port, timeout=SECONDS)
        # Decides whether the header Host names the port.
        self.default_port = PORTS[receiver.scheme]
        self._receiver = receiver
        self._address = address

    def connect(self) -> None:
        """Connect to the address."""
        self.sock = socket.create_connection(self._address, SECONDS)
        if self._receiver.scheme == "https":
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self._receiver.host)
