"""Notices to the service manager that started the server: it is ready, it stops, it still works.

The protocol is that of sd_notify(3), which systemd and others speak: lines in one datagram to the socket that a
variable of the environment names.
"""

import logging
import os
import socket
from typing import Final

import trio

_logger = logging.getLogger(__name__)
_SOCKET: Final = "NOTIFY_SOCKET"
_WATCHDOG: Final = "WATCHDOG_USEC"
_US_A_SECOND: Final = 1_000_000
_NOTICES_A_WATCH: Final = 3
"""Two notices may be late before the manager takes the server for dead."""


class ServiceManager:
    """The service manager, or nobody if the server was started by hand."""

    def __init__(self) -> None:
        """Read the environment, and clear it, so that no process of a bot can speak for the server."""
        self._address = os.environ.pop(_SOCKET, "")
        watch = os.environ.pop(_WATCHDOG, "")
        self._watch_seconds = int(watch) / _US_A_SECOND if watch.isdecimal() else 0.0

    def ready(self) -> None:
        """Say that the server answers."""
        self._say("READY=1")

    def stopping(self) -> None:
        """Say that the server begins to stop."""
        self._say("STOPPING=1")

    async def keep_informed(self) -> None:
        """Say from the thread of the matches that it still works, as often as the manager wants to hear it."""
        while self._address and self._watch_seconds:
            self._say("WATCHDOG=1")
            await trio.sleep(self._watch_seconds / _NOTICES_A_WATCH)

    def _say(self, notice: str) -> None:
        if not self._address:
            return
        # A name that begins with @ is one of Linux's abstract names, which begin with a zero byte.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as notices:
            notices.settimeout(0)
            try:
                notices.sendto(notice.encode(), address)
            except OSError as error:
                _logger.warning("the service manager cannot be told", extra={"notice": notice, "error": str(error)})
