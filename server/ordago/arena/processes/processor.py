"""On which processors the server and its bots run.

Python runs one thread of a process at a time, so a server gains nothing from a second processor. It loses by it: its
threads, those of gRPC's library too, hand work to each other all the time, and where they stand on different processors
each handing over moves their caches and wakes a processor. Left alone, the kernel also tends to draw bots that answer
quickly to the processor that wakes them, which is the server's, while others stand idle.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


def _processors() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


ALLOWED: Final = _processors()
"""The processors that the process was allowed to run on when it began; nothing where the system does not say."""


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Keep this thread, and those that it starts meanwhile, on one processor. Which one depends on the process."""
    before = _processors()
    if len(before) < 2:
        yield
        return
    os.sched_setaffinity(0, {sorted(before)[os.getpid() % len(before)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
