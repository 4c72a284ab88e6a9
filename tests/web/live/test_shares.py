"""Tables that are watched where there are as many as can be: nobody takes all of them from others."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from queue import Queue

import pytest
import trio
from web.live.test_tables import START

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.access.turns import ASKER
from ordago_web.live.tables import LiveTable, LiveTables

MOST = 4


class Match:
    """A match at a server, which goes on until nobody watches it any more."""

    def __init__(self) -> None:
        self._closed = Queue[None]()

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator["Match"]:
        match = cls()
        try:
            yield match
        finally:
            match._closed.put(None)

    def listen(self, _request: object, _answer: object) -> Iterator[v1.WatchMatchResponse]:
        yield START
        self._closed.get()
        raise CallError("CANCELLED", "closed")


@pytest.fixture
async def live(nursery: trio.Nursery) -> AsyncIterator[LiveTables]:
    tables = LiveTables(Match.opened, most=MOST)
    await nursery.start(tables.run)
    yield tables
    nursery.cancel_scope.cancel()


@asynccontextmanager
async def watched(live: LiveTables, match: str, *, by: str) -> AsyncIterator[LiveTable]:
    """Look on at a match from an address."""
    ASKER.set(by)
    with trio.fail_after(10):
        async with live.watched(match) as table:
            yield table


async def test_a_table_that_nobody_looks_on_at_any_more_makes_room_at_once(live: LiveTables):
    for number in range(5 * MOST):
        async with watched(live, f"m{number}", by="a fickle one"):
            pass


async def test_who_watches_many_makes_room_for_others(live: LiveTables):
    async with AsyncExitStack() as opened:
        own = [await opened.enter_async_context(watched(live, f"m{number}", by="many")) for number in range(MOST)]
        with pytest.raises(CallError, match="No more tables can be watched now"):
            await opened.enter_async_context(watched(live, "more", by="many"))
        others = [await opened.enter_async_context(watched(live, f"of-{who}", by=who)) for who in ("ana", "ben")]
        assert [table.is_over for table in own] == [True, True, False, False]
        assert not any(table.is_over for table in others)
        with pytest.raises(CallError, match="No more tables can be watched now"):
            await opened.enter_async_context(watched(live, "more", by="ana"))


async def test_a_table_at_which_several_look_on_makes_no_room(live: LiveTables):
    async with AsyncExitStack() as opened:
        for number in range(MOST):
            await opened.enter_async_context(watched(live, f"m{number}", by="many"))
        shared = [await opened.enter_async_context(watched(live, f"m{number}", by="ana")) for number in range(MOST)]
        with pytest.raises(CallError, match="No more tables can be watched now"):
            await opened.enter_async_context(watched(live, "more", by="ben"))
        assert not any(table.is_over for table in shared)
