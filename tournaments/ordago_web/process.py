"""The process of a site beside a server of matches: started by it, told what it is by its standard input, ended by it.

It listens at a socket that the server has opened, so that the address stays the same when the process is started again.
"""

import os
import pickle
import socket
import sys
from functools import partial
from typing import Final

import trio

from ordago.ops.logs import logging_to_stderr
from ordago_web.running import run_site
from ordago_web.settings import LENGTH_BYTES, SiteSettings

_NICENESS: Final = 10
"""Matches come first."""


async def _served(settings: SiteSettings, listener: socket.socket) -> None:
    await run_site(settings, listener, until=_until_the_server_ends)


async def _until_the_server_ends() -> None:
    """Return when nobody holds the other end of the standard input any more."""
    async with trio.lowlevel.FdStream(os.dup(sys.stdin.fileno())) as told:
        while await told.receive_some():
            pass


def main() -> None:
    """Serve a site."""
    os.nice(_NICENESS)
    length = int.from_bytes(_exactly(LENGTH_BYTES))
    settings: SiteSettings = pickle.loads(_exactly(length))  # noqa: S301 - the server that started us wrote it
    with logging_to_stderr(log_format="text", level="warning"), socket.socket(fileno=int(sys.argv[1])) as listener:
        trio.run(partial(_served, settings, listener))


def _exactly(length: int) -> bytes:
    """Read so many bytes and no more: what comes after them is for who waits for the end."""
    content = b""
    while len(content) < length and (part := os.read(sys.stdin.fileno(), length - len(content))):
        content += part
    return content


if __name__ == "__main__":
    main()
