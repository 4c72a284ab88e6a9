"""Helper processes of a server or a run: starting them, and passing them the place of the store.

They run with ``python -P``, so that they import nothing from the current folder. The place of the store is passed in an
environment variable, since its URL may contain a password and every user of a machine can read command lines.
"""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from threading import Event, Thread
from typing import Final

import trio

from ordago.reaping import reaped

BEAT_SECONDS: Final = 1.0
"""Seconds between the heartbeats of a helper process. One that is stopped or hangs sends none."""
_PLACE: Final = "ORDAGO_STORE_BESIDE"


def command_of(module: str, *arguments: object) -> tuple[str, ...]:
    """Return the command that runs a module with this Python, followed by arguments."""
    # -P: no module in the working folder takes the place of one of ours.
    return (sys.executable, "-P", "-m", module, *map(str, arguments))


def environment(place: str) -> Mapping[str, str]:
    """Return the environment of a helper process that uses the store at a place."""
    return {**os.environ, _PLACE: place}


def place_of_store() -> str:
    """Return the place of the store in a helper process: a path, or the URL of a database."""
    return os.environ[_PLACE]


@asynccontextmanager
async def process_at_store(
    module: str, *arguments: str, place: str, stderr: int | None = None
) -> AsyncIterator[trio.Process]:
    """Start a helper process with pipes to and from it, and kill it at the end of the context.

    Raises:
        OSError: it cannot be started.
    """
    # In a process group of its own, so that Ctrl-C reaches only the parent, which then ends it in order. Not in a
    # session: Linux divides processors among sessions first, so on a busy machine it would take seconds to run the
    # program, for which this process waits.
    process = await trio.lowlevel.open_process(
        command_of(module, *arguments),
        env=environment(place),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        process_group=0,
    )
    try:
        yield process
    finally:
        process.kill()
        # Reaped even if cancelled, so that no zombie is left.
        with trio.CancelScope(shield=True):
            await reaped(process)


def last_line(printed: bytes | bytearray) -> str:
    """Return the last line of the output of a process."""
    return printed.decode(errors="replace").strip().rpartition("\n")[2]


@contextmanager
def beating(beat: Callable[[], object]) -> Iterator[None]:
    """Call a function every ``BEAT_SECONDS`` in a thread of its own while the context is open."""
    ended = Event()

    def tell() -> None:
        # The parent process may have ended.
        with suppress(BrokenPipeError):
            while not ended.wait(BEAT_SECONDS):
                beat()

    thread = Thread(target=tell, name="ordago-beating", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


async def heard(stream: trio.abc.ReceiveStream, *, silent_seconds: float, most: int | None = None) -> bytes | bytearray:
    """Return the next output of a process, at most ``most`` bytes; empty once it has ended.

    Raises:
        TimeoutError: it sent nothing for ``silent_seconds``, so it hangs.
    """
    with trio.move_on_after(silent_seconds):
        return await stream.receive_some(most)
    raise TimeoutError(f"their process has not responded for {silent_seconds:g} s, and is restarted")
