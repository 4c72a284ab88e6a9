"""The parts of a site, opened at its start and closed at its end."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final

import trio

from ordago.arena.allowance import Allowance
from ordago.edge.services.client import MatchClient
from ordago_web.access.turns import Turns
from ordago_web.access.visitors import Visitors
from ordago_web.analysis.analyst import Analyst
from ordago_web.clients import AccountServer, LadderServer
from ordago_web.context import AppContext
from ordago_web.documentation import built_pages
from ordago_web.event_folders import EventFolders
from ordago_web.ladder.announcements import Announcements
from ordago_web.ladder_source import CALLS_AT_ONCE, LadderSource
from ordago_web.live.tables import MOST_TABLES, LiveTables
from ordago_web.pages import ACCOUNT, DOCUMENTATION, EVENTS, LADDER, PLAY, Destination, Pages
from ordago_web.play.sessions import opened_sessions
from ordago_web.security import HostGate
from ordago_web.serving.server import Connections, serve_site
from ordago_web.settings import ServerPlace, SiteSettings
from ordago_web.site import site

_CALLS_PER_SECOND: Final = 15.0
"""The server answers 20 calls a second from one address; the rest is for other programs of the machine."""
_CALLS_AT_A_STROKE: Final = 60
"""The server accepts a burst of 100."""
_TABLES_OF_AN_ADDRESS: Final = 16 - CALLS_AT_ONCE
"""The server lets one address watch 16 matches; replays of matches that are over take the rest."""


async def run_site(settings: SiteSettings, listener: socket.socket, *, until: Callable[[], Awaitable[None]]) -> None:
    """Serve a site at a listening socket until ``until`` returns."""
    gate = HostGate(hosts=settings.hosts, forwarded=settings.forwarded)
    bound = Connections.of_proxy() if settings.forwarded else Connections()
    async with opened_context(settings) as context:
        await serve_site(site(context, gate), listener, settings.place, until=until, bound=bound)


@asynccontextmanager
async def opened_context(settings: SiteSettings) -> AsyncIterator[AppContext]:
    """Open the parts that the pages of a site share."""
    server = settings.server
    turns = turns_of(server)
    async with AsyncExitStack() as opened:
        ladder, live = _ladder(server, turns, opened)
        play_sessions = await opened.enter_async_context(opened_sessions()) if settings.plays else None
        announcements = None if ladder is None else Announcements(ladder)
        analyst = None if settings.analyses is None else Analyst(settings.analyses)
        context = AppContext(
            pages=Pages(
                navigation(settings),
                is_away=lambda: ladder is not None and ladder.away_since is not None,
                announcements=announcements or tuple,
                origin=settings.origin,
                contact=settings.contact,
            ),
            sessions=Visitors(secure=settings.secure),
            turns=turns,
            ladder=ladder,
            live=live,
            events=EventFolders(settings.folders, parent=settings.hosted) if shows_events(settings) else None,
            documentation=built_pages(),
            play_sessions=play_sessions,
            analyst=analyst,
            accounts=AccountServer(server) if server is not None and server.accounts else None,
            connecting="" if server is None else server.connecting,
        )
        async with trio.open_nursery() as nursery:
            if analyst is not None:
                nursery.start_soon(analyst.run)
            if announcements is not None:
                nursery.start_soon(announcements.watch)
            if live is not None:
                await nursery.start(live.run)
            yield context
            nursery.cancel_scope.cancel()


def turns_of(server: ServerPlace | None) -> Turns:
    """Return the queue of calls to a server, no faster than it answers one address."""
    bounded = server is not None and not server.for_us
    pace = Allowance(per_second=_CALLS_PER_SECOND, at_once=_CALLS_AT_A_STROKE) if bounded else None
    return Turns(at_once=CALLS_AT_ONCE, pace=pace)


def _ladder(
    server: ServerPlace | None, turns: Turns, opened: AsyncExitStack
) -> tuple[LadderSource | None, LiveTables | None]:
    if server is None or not server.ladder:
        return None, None
    asked = opened.enter_context(LadderServer.opened(server))
    watched = partial(MatchClient.opened, server.address, token=server.token, tls=server.tls)
    most = MOST_TABLES if server.for_us else _TABLES_OF_AN_ADDRESS
    return LadderSource(asked, turns=turns), LiveTables(watched, most=most, turns=turns)


def shows_events(settings: SiteSettings) -> bool:
    """Return True if a site has event pages: it has folders or hosted events, or no ladder as its start page."""
    ladder = settings.server is not None and settings.server.ladder
    return bool(settings.folders) or settings.hosted is not None or not ladder


def navigation(settings: SiteSettings) -> Sequence[Destination]:
    """Return the navigation of all pages."""
    server = settings.server
    ladder = LADDER if server is not None and server.ladder else ()
    events = EVENTS if shows_events(settings) else ()
    account = ACCOUNT if server is not None and server.accounts else ()
    play = PLAY if settings.plays else ()
    return (*ladder, *events, *play, *DOCUMENTATION, *account)
