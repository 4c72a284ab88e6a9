"""Processes beside a server tell that they work: one that is stopped, or hangs, says nothing any more."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

import trio

BEAT_SECONDS: Final = 1.0


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
