"""The tables that are watched: a stream from the server for each, opened for the first who looks on."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from typing import Final, Protocol

import trio

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.live.table import LiveTable
from ordago_web.live.telecast import UntoldError

_MOST_TABLES: Final = 64
_LINGER_SECONDS: Final = 20.0
"""For so long a stream stays open that nobody reads: people come back, and browsers connect anew."""


class Watcher(Protocol):
    """Watches a match at the server. Its method is called in a thread of its own."""

    def listen(
        self, request: v1.WatchMatchRequest, answer: type[v1.WatchMatchResponse], /
    ) -> Iterator[v1.WatchMatchResponse]:
        """Go through what is told, or raise a ``CallError``."""


class LiveTables:
    """All tables that are watched. It belongs to trio's thread."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Watcher]]) -> None:
        """Watch by what opens a connection; closing it ends what is watched by it."""
        self._opened = opened
        self._tables: dict[str, _Watched] = {}
        self._limiter = trio.CapacityLimiter(_MOST_TABLES)
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Watch what somebody looks on at, until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    @asynccontextmanager
    async def watched(self, match_id: str) -> AsyncIterator[LiveTable]:
        """Look on at a match.

        Raises:
            CallError: it cannot be watched now.
        """
        watched = self._tables.get(match_id)
        if watched is None or watched.table.is_over:
            watched = self._begun(match_id)
        watched.enter()
        try:
            await watched.table.begun()
            yield watched.table
        finally:
            watched.leave()

    def _begun(self, match_id: str) -> "_Watched":
        if len(self._tables) >= _MOST_TABLES:
            raise CallError("RESOURCE_EXHAUSTED", "as many tables are watched as can be: come again in some minutes")
        assert self._nursery is not None, "tables are watched while this runs"
        watched = self._tables[match_id] = _Watched()
        self._nursery.start_soon(self._watch, match_id, watched)
        return watched

    async def _watch(self, match_id: str, watched: "_Watched") -> None:
        try:
            with watched.scope, self._opened() as watcher:
                await trio.to_thread.run_sync(
                    partial(_listen, watcher, match_id, watched.table), abandon_on_cancel=True, limiter=self._limiter
                )
        finally:
            if self._tables.get(match_id) is watched:
                del self._tables[match_id]


class _Watched:
    """A table, and how many look on."""

    def __init__(self) -> None:
        self.table = LiveTable()
        self.scope = trio.CancelScope()
        self._readers = 0

    def enter(self) -> None:
        self._readers += 1
        self.scope.deadline = float("inf")

    def leave(self) -> None:
        self._readers -= 1
        if not self._readers:
            self.scope.deadline = trio.current_time() + _LINGER_SECONDS


def _listen(watcher: Watcher, match_id: str, table: LiveTable) -> None:
    """Tell a table what a server tells. It runs in a thread."""
    request = v1.WatchMatchRequest(match_id=match_id)
    try:
        for response in watcher.listen(request, v1.WatchMatchResponse):
            trio.from_thread.run_sync(table.take, response)
        error = CallError("UNAVAILABLE", "the server tells no more of this match")
    except CallError as failed:
        error = failed
    except UntoldError as untold:
        error = CallError("UNIMPLEMENTED", str(untold))
    trio.from_thread.run_sync(table.fail, error)
