"""Work shared between processes, so that all processors verify records at once."""

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
"""The fewest items for each process: with fewer, starting the processes takes longer than they save."""
_AT_A_TIME: Final = 16
"""The number of items sent to a process together."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(work: Callable[[ItemT], FoundT], items: Sequence[ItemT], *, processes: int) -> Generator[FoundT, None, None]:
    """Yield the results of ``work`` for the items, in their order.

    Args:
        work: a function of a module, or ``functools.partial`` of one. Its arguments and results have to be picklable.
        items: its arguments; small ones, names for instance, since they are sent to the processes.
        processes: the most processes that share them. With few items this process does the work itself.
    """
    processes = min(processes, len(items) // LEAST_EACH)
    if processes < 2:
        yield from map(work, items)
        return
    # Spawned, not forked: the copy of a process with threads, such as a server, may have locks that are never released.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield from pool.map(work, items, chunksize=_AT_A_TIME)
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Ignore Ctrl-C, which is for the parent process, and end when the parent ends, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
