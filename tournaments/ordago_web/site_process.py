"""The site in a process of its own, so that no match waits for a page. It is restarted when it ends or hangs.

The process shows that it works by a byte a second, which its only loop writes into a pipe. A request as health check
would not do: visitors who take up all connections would get a healthy process killed.
"""

import os
import pickle
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

import trio

from ordago.reaping import reaped
from ordago_ladder.helpers import command_of
from ordago_web.settings import LENGTH_BYTES, SiteSettings

_FIRST_REST_SECONDS: Final = 1.0
"""The pause before a restart. It doubles with each failure, up to the longest."""
_LONGEST_REST_SECONDS: Final = 60.0
_WELL_SECONDS: Final = 60.0
"""After this long a run the process counts as healthy, and the next restart comes soon again."""
_END_SECONDS: Final = 5.0
"""The time for the process to end by itself."""
_START_SECONDS: Final = 120.0
"""The time for the first byte. On a busy machine, where matches come first, a start takes some seconds."""
_SILENT_SECONDS: Final = 10.0
"""A loop that stands still this long hangs: a page takes milliseconds, and a multiple of that on a busy machine."""


class SiteProcess:
    """Supervises the process of a site."""

    def __init__(
        self,
        settings: SiteSettings,
        listener: socket.socket,
        *,
        away: Callable[[str], None],
        there: Callable[[], None],
        silent_seconds: float = _SILENT_SECONDS,
    ) -> None:
        """Prepare to serve a site.

        Args:
            settings: the settings of the site.
            listener: the listening socket.
            away: called with the reason, and the seconds until the restart, when the process ended or was killed.
            there: called whenever the process shows that it serves.
            silent_seconds: the silence after which the process is killed.
        """
        self._settings = settings
        self._listener = listener
        self._away = away
        self._there = there
        self._silent_seconds = silent_seconds

    async def run(self) -> None:
        """Serve the site until cancelled, and restart its process when it ends or hangs."""
        rest = _FIRST_REST_SECONDS
        while True:
            begun = trio.current_time()
            try:
                async with _started(self._settings, self._listener) as started:
                    reason = await self._watched(started)
            except OSError as error:
                reason = f"its process could not be started: {error.strerror}"
            if trio.current_time() - begun >= _WELL_SECONDS:
                rest = _FIRST_REST_SECONDS
            self._away(f"{reason}; it restarts in {rest:g} s")
            await trio.sleep(rest)
            rest = min(2 * rest, _LONGEST_REST_SECONDS)

    async def _watched(self, started: "_Started") -> str:
        """Wait until a process ends, or kill it when it hangs; return the reason."""
        silent_seconds = _START_SECONDS
        with trio.CancelScope() as patience:
            patience.deadline = trio.current_time() + silent_seconds
            while await started.life.receive_some():
                silent_seconds = self._silent_seconds
                patience.deadline = trio.current_time() + silent_seconds
                self._there()
        if patience.cancelled_caught:
            started.process.kill()
            return f"its process did not respond for {silent_seconds:g} s, and was killed"
        with trio.move_on_after(_END_SECONDS):
            return f"its process ended with {await reaped(started.process)}"
        return "its process did not end properly"


class _Started(NamedTuple):
    """A running process of a site."""

    process: trio.Process
    life: trio.abc.ReceiveStream
    """The pipe into which it writes while it works."""


@asynccontextmanager
async def _started(settings: SiteSettings, listener: socket.socket) -> AsyncIterator[_Started]:
    """Start a process of a site, and end it.

    Raises:
        OSError: it cannot be started.
    """
    alive, living = os.pipe()
    async with trio.lowlevel.FdStream(alive) as life:
        try:
            process = await _opened(listener.fileno(), living)
        finally:
            os.close(living)
        assert process.stdin is not None
        try:
            settings_bytes = pickle.dumps(settings)
            # A process that has ended already reads nothing; its first byte never comes.
            with suppress(trio.BrokenResourceError):
                await process.stdin.send_all(len(settings_bytes).to_bytes(LENGTH_BYTES) + settings_bytes)
            yield _Started(process, life)
        finally:
            # Shielded: the process ends with this context, even if that is cancelled.
            with trio.CancelScope(shield=True):
                await _ended(process)


async def _opened(listener: int, living: int) -> trio.Process:
    return await trio.lowlevel.open_process(
        command_of("ordago_web.process", listener, living),
        stdin=subprocess.PIPE,
        pass_fds=(listener, living),
        process_group=0,
    )


async def _ended(process: trio.Process) -> None:
    """End a process, with some seconds to finish its responses."""
    assert process.stdin is not None
    await process.stdin.aclose()
    with trio.move_on_after(_END_SECONDS):
        await reaped(process)
    if process.returncode is None:
        process.kill()
        await reaped(process)
