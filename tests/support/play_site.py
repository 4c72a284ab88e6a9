"""A site at which people play, for tests with a browser: in a thread of its own, at a port that is free."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import trio
from support.people import ThinkingHere

from ordago_web.access.bounds import AddressBounds, Limits
from ordago_web.context import AppContext
from ordago_web.pages import PLAY, Pages
from ordago_web.play.sessions import PlayBounds, PlaySessions
from ordago_web.play.thinking import Thinking
from ordago_web.serving.listener import Place, address_of, listening
from ordago_web.serving.server import serve_site
from ordago_web.site import site

_PLENTY = AddressBounds(reads_at_once=1e6, reads_per_second=1e6, writes_at_once=1e6, writes_per_second=1e6)


def context_of(sessions: PlaySessions) -> AppContext:
    """Return a house in which people play, and nothing else is."""
    return AppContext(pages=Pages(PLAY), play_sessions=sessions, limits=Limits(_PLENTY))


@asynccontextmanager
async def opened_play(thinking: Thinking | None = None, **bounds: Any) -> AsyncIterator[PlaySessions]:
    """Run sessions of play with these bounds, without a site."""
    async with trio.open_nursery() as nursery:
        sessions = PlaySessions(thinking or ThinkingHere(), bounds=PlayBounds(**bounds))
        await nursery.start(sessions.run)
        yield sessions
        nursery.cancel_scope.cancel()


@contextmanager
def played_at(thinking: Thinking, **of_sessions: Any) -> Iterator[str]:
    """Give the address of a site with a parlour, until it is not needed any more."""
    place = Place(address="127.0.0.1:0")
    stop, ready, token = trio.Event(), threading.Event(), list[trio.lowlevel.TrioToken]()

    async def run() -> None:
        token.append(trio.lowlevel.current_trio_token())
        async with trio.open_nursery() as nursery:
            sessions = PlaySessions(thinking, **of_sessions)
            await nursery.start(sessions.run)
            ready.set()
            await serve_site(site(context_of(sessions)), listener, place, until=stop.wait)
            nursery.cancel_scope.cancel()

    with listening(place.address) as listener:
        thread = threading.Thread(target=trio.run, args=(run,), name="site")
        thread.start()
        try:
            assert ready.wait(10)
            yield address_of(listener, place).rstrip("/")
        finally:
            token[0].run_sync_soon(stop.set)
            thread.join(20)
            assert not thread.is_alive()
