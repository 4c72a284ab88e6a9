"""Ports for programs that are told where to listen."""

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

_PORTS: Final = range(20_000, 32_768)
"""Below those that Linux gives to outgoing connections: such a port can be taken before the program listens."""


def free_port() -> int:
    """Return a port that nobody listens on now."""
    while True:
        port = SystemRandom().choice(_PORTS)  # several processes of tests choose at once
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
