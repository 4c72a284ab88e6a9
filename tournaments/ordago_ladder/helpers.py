"""Processes that work beside a server, or a run: how they are started, and where they find its store.

Nothing is imported from the folder that whoever starts them was started in. Where the store is stands in the
environment: it may hold a password, and everybody on a machine can read what a process was called by.
"""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from threading import Event, Thread
from typing import Final

import trio

BEAT_SECONDS: Final = 1.0
"""So often a process says that it works: one that is stopped, or hangs, says nothing any more."""
_PLACE: Final = "ORDAGO_STORE_BESIDE"


def command_of(module: str, *arguments: object) -> tuple[str, ...]:
    """Return how the process is started whose module this is, and what it is told by its command."""
    return (sys.executable, "-P", "-m", module, *map(str, arguments))


def environment(place: str) -> Mapping[str, str]:
    """Return the environment of a process that works at a store."""
    return {**os.environ, _PLACE: place}


def place_of_store() -> str:
    """Return, in such a process, where the store is: a path, or the URL of a database."""
    return os.environ[_PLACE]


@asynccontextmanager
async def process_at_store(module: str, place: str, *, stderr: int | None = None) -> AsyncIterator[trio.Process]:
    """Start a process that works at a store, with pipes to it and from it, and kill it when the context is left.

    Raises:
        OSError: it cannot be started.
    """
    # Ctrl-C is for whoever started it alone.
    process = await trio.lowlevel.open_process(
        command_of(module),
        env=environment(place),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def last_line(printed: bytes | bytearray) -> str:
    """Return the last line that a process has printed."""
    return printed.decode(errors="replace").strip().rpartition("\n")[2]


@contextmanager
def beating(beat: Callable[[], object]) -> Iterator[None]:
    """Call something every second in a thread of its own, as long as the context is open."""
    ended = Event()

    def tell() -> None:
        # Whoever started the process may be gone.
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
    """Return what a process says next, so many bytes at most; nothing when it has ended.

    Raises:
        TimeoutError: it said nothing for so long, and hangs.
    """
    with trio.move_on_after(silent_seconds):
        return await stream.receive_some(most)
    raise TimeoutError(f"their process has said nothing for {silent_seconds:g} s, and is started anew")
