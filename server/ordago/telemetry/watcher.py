"""Looks at what a server waits for, from a thread of its own: it sees also that the thread of the matches hangs."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago.telemetry.waits import LONG_SECONDS

_LOOK_SECONDS: Final = 1.0


@contextmanager
def watching(telemetry: Telemetry) -> Iterator[None]:
    """Tell in this context what a server waits for in vain."""
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=(telemetry, ended), name="ordago-watcher", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def _watch(telemetry: Telemetry, ended: threading.Event) -> None:
    while not ended.wait(_LOOK_SECONDS):
        telemetry.waits.look()
        look_at_thread_of_matches(telemetry, now=time.monotonic())


def look_at_thread_of_matches(telemetry: Telemetry, *, now: float) -> None:
    """Tell where the thread of the matches has done nothing for long: it hangs itself, or somebody holds it up."""
    turned_at = telemetry.counters.turned_at
    late = now - turned_at
    if turned_at and late > LONG_SECONDS:
        telemetry.begins(Trouble.HELD_UP, f"the thread of the matches has done nothing for {late:.0f} s")
    else:
        telemetry.is_over(Trouble.HELD_UP)
