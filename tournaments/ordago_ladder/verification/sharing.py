"""Work that several processes share, so that all processors prove records at once."""

import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Final, TypeVar

ItemT = TypeVar("ItemT")
FoundT = TypeVar("FoundT")

LEAST_EACH: Final = 1_000
"""With fewer items for each process the start of the processes takes longer than they spare."""
_AT_A_TIME: Final = 16
"""How many items are handed out together."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Callable[[ItemT], FoundT], items: Sequence[ItemT], *, processes: int) -> Generator[FoundT, None, None]:
    """Yield what comes of the items, in their order.

    Args:
        work: a function of a module, or ``functools.partial`` of one. What it takes and returns is sent to and fro.
        items: what it is called with, best by names, so that little is sent.
        processes: how many processes share them, at most. Where there is little to do, this one does it by itself.
    """
    processes = min(processes, len(items) // LEAST_EACH)
    if processes < 2:
        yield from map(work, items)
        return
    # Processes that are made anew: a copy of one with threads, as a server is, may have locks that nobody opens.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield from pool.map(work, items, chunksize=_AT_A_TIME)
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """End with the process that shares its work: Ctrl-C is for that one, and it may be killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
