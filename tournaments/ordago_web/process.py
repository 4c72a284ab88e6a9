"""The process of a site: reads its settings from standard input, serves, and ends when the input is closed.

A server or ``ordago web`` starts it. It serves on the listening socket of its parent, so that the address stays the
same when the process is restarted.
"""

import os
import pickle
import socket
import sys
from contextlib import suppress
from functools import partial
from typing import Final

import trio

from ordago.ops.logs import logging_to_stderr
from ordago_web.running import run_site
from ordago_web.settings import LENGTH_BYTES, SiteSettings

_NICENESS: Final = 10
"""The niceness of the process: matches come first."""


_LIFE_SECONDS: Final = 1.0
"""The interval between heartbeat bytes, which prove that the event loop is not blocked."""


async def _served(settings: SiteSettings, listener: socket.socket, living: int) -> None:
    async with trio.open_nursery() as nursery, trio.lowlevel.FdStream(living) as life:
        nursery.start_soon(_live, life)
        await run_site(settings, listener, until=_until_nobody_wants_it)
        nursery.cancel_scope.cancel()


async def _live(life: trio.abc.SendStream) -> None:
    """Write a byte every second until the reader closes the pipe."""
    with suppress(trio.BrokenResourceError):
        while True:
            await life.send_all(b".")
            await trio.sleep(_LIFE_SECONDS)


async def _until_nobody_wants_it() -> None:
    """Return when the parent closes the standard input."""
    async with trio.lowlevel.FdStream(os.dup(sys.stdin.fileno())) as stdin:
        while await stdin.receive_some():
            pass


def main() -> None:
    """Serve a site."""
    os.nice(_NICENESS)
    length = int.from_bytes(_exactly(LENGTH_BYTES))
    settings: SiteSettings = pickle.loads(_exactly(length))  # noqa: S301 - the server that started us wrote it
    listener, living = map(int, sys.argv[1:])
    with (
        logging_to_stderr(log_format=settings.log_format, level=settings.log_level),
        socket.socket(fileno=listener) as at,
    ):
        trio.run(partial(_served, settings, at, living))


def _exactly(length: int) -> bytes:
    """Read exactly this many bytes. The task that waits for the end of the input reads the rest."""
    content = b""
    while len(content) < length and (part := os.read(sys.stdin.fileno(), length - len(content))):
        content += part
    return content


if __name__ == "__main__":
    main()
