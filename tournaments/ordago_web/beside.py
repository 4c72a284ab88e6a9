"""The site beside a server of matches: a process of its own, so that no match waits for a page."""

import pickle
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from ordago_ladder.helpers import command_of
from ordago_web.settings import LENGTH_BYTES, SiteSettings

_FIRST_REST_SECONDS: Final = 1.0
_LONGEST_REST_SECONDS: Final = 60.0
_WELL_SECONDS: Final = 60.0
"""What ran for so long was well: the next rest is short again."""
_END_SECONDS: Final = 5.0


class SiteBeside:
    """Keeps the process of a site running."""

    def __init__(self, settings: SiteSettings, listener: socket.socket, *, warn: Callable[[str], None]) -> None:
        """Prepare to serve a site.

        Args:
            settings: what it is told.
            listener: the socket that it listens at.
            warn: is told in a sentence when its process ended, and is started again.
        """
        self._settings = settings
        self._listener = listener
        self._warn = warn

    async def run(self) -> None:
        """Serve the site until it is cancelled, by a new process where one ends."""
        rest = _FIRST_REST_SECONDS
        while True:
            begun = trio.current_time()
            try:
                reason = f"its process ended with {await self._run_process()}"
            except OSError as error:
                reason = f"its process could not be started: {error.strerror}"
            if trio.current_time() - begun >= _WELL_SECONDS:
                rest = _FIRST_REST_SECONDS
            self._warn(f"the site is away: {reason}; it is started again in {rest:g} s")
            await trio.sleep(rest)
            rest = min(2 * rest, _LONGEST_REST_SECONDS)

    async def _run_process(self) -> int:
        descriptor = self._listener.fileno()
        process = await trio.lowlevel.open_process(
            command_of("ordago_web.process", descriptor),
            stdin=subprocess.PIPE,
            pass_fds=(descriptor,),
            start_new_session=True,
        )
        assert process.stdin is not None
        try:
            told = pickle.dumps(self._settings)
            with suppress(trio.BrokenResourceError):
                await process.stdin.send_all(len(told).to_bytes(LENGTH_BYTES) + told)
            return await process.wait()
        finally:
            with trio.CancelScope(shield=True):
                await _ended(process)


async def _ended(process: trio.Process) -> None:
    """End a process: it has some seconds for what it is answering."""
    assert process.stdin is not None
    await process.stdin.aclose()
    with trio.move_on_after(_END_SECONDS):
        await process.wait()
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
        await process.wait()
