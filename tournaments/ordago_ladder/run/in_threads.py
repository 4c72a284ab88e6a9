"""Contexts whose beginning and end take a while, and are left to worker threads."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from typing import TypeVar

import trio

T = TypeVar("T")


@asynccontextmanager
async def in_threads(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter a context in a worker thread, give what it gives, and leave it in a worker thread: not always the same."""
    given = await trio.to_thread.run_sync(context.__enter__)
    try:
        yield given
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(context.__exit__, None, None, None)
