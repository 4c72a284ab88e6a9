"""Spreads work over processes, where there is enough of it."""

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

ChunkT = TypeVar("ChunkT")
ResultT = TypeVar("ResultT")

_MANY = 4


def spread(work: Callable[[ChunkT], ResultT], chunks: Sequence[ChunkT]) -> list[ResultT]:
    """Return what a function of a module makes of each chunk; few chunks are not worth a process."""
    if len(chunks) < _MANY:
        return [work(chunk) for chunk in chunks]
    # Started anew and not forked, since the test process may have threads.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, chunks))
