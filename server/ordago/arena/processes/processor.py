"""The processors that the server and its bots run on.

Python runs one thread of a process at a time, so a server gains nothing from a second processor. It even loses: its
threads, and those of gRPC, hand work to each other all the time, and on different processors each handover moves caches
and wakes a processor. Left alone, the kernel also tends to move bots that answer quickly to the processor that wakes
them, which is the server's, while others are idle.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


def _processors() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


ALLOWED: Final = _processors()
"""The processors that this process was allowed to run on at its start; empty where the system does not report it."""


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Keep this thread, and those that it starts meanwhile, on one processor, chosen by the process ID."""
    before = _processors()
    if len(before) < 2:
        yield
        return
    os.sched_setaffinity(0, {sorted(before)[os.getpid() % len(before)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
