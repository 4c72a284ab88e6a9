"""Routing of connections to the events of a server, by the name that each connection gives."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ordago import v1
from ordago.arena.admission.authenticator import Refusal
from ordago.arena.connection import Connection, ConnectionHandler, Status
from ordago.arena.server import Server

_LONGEST_NAME: Final = 64
"""Characters of an unknown name that the error repeats, since any client may send any name."""
_UNKNOWN: Final = "no event {name!r} is open here; 'ordago event list' names those that are"
_STOPPED: Final = "the event was stopped for now; reconnect with a resume"
_SOON: Final = "the event {name!r} is about to continue; reconnect in a moment"
_SOON_MS: Final = 1_000
_LATER: Final = "the event {name!r} begins at {time}; its entrants' bots come in then"
_LONGEST_PAUSE_MS: Final = 12_000
"""The longest pause before an event that begins at a known time. Bots lengthen it by up to a quarter, and the event
waits 20 s for them."""


class EventEntry(NamedTuple):
    """An open event: its server and its description."""

    server: Server
    """The server that accepts its connections."""
    described: v1.DescribeEventResponse
    """The response of DescribeEvent."""


class EventRouter:
    """Hands each connection to the server of the event that it names, or to the server of the standing tables.

    It is a ``connection.Acceptor``. Use it in trio's thread, except the methods that allow any thread.
    """

    def __init__(
        self, always: Server, described: Callable[[], v1.DescribeEventResponse] = v1.DescribeEventResponse
    ) -> None:
        """Begin without events.

        Args:
            always: accepts connections that name no event, and turns away those that name one that is not open.
            described: returns the description of the standing tables.
        """
        self._always = always
        self._described = described
        self.clock = always.clock
        """The clock that bots are charged by, in all events."""
        self.telemetry = always.telemetry
        """The telemetry of the server."""
        self.together: Final = always.together
        """Journals choices at the standing tables in one write. See ``connection.Acceptor``."""
        self._router: dict[str, EventEntry | float | None] = {}
        """The events by name; for one that is about to open its time in seconds since 1970, or ``None`` for soon."""
        self._announcements: Sequence[v1.Announcement] = ()

    def __call__(self, connection: Connection) -> ConnectionHandler:
        """Accept a new connection and return its handler."""
        if not connection.event:
            return self._always(connection)
        entry = self._entry(connection.event)
        if isinstance(entry, Refusal):
            return self._always.turn_away(connection, entry)
        return entry.server(connection)

    def described(self, event: str) -> v1.DescribeEventResponse | Refusal:
        """Return the description of an event, or of the standing tables; or a refusal. Any thread may call it."""
        if not event:
            return self._described()
        entry = self._entry(event)
        return entry if isinstance(entry, Refusal) else entry.described

    def _entry(self, event: str) -> EventEntry | Refusal:
        entry = self._router.get(event)
        if isinstance(entry, EventEntry):
            return entry
        if entry is not None:
            return _later(event, entry, now=time.time())
        if event in self._router:
            return Refusal(Status.UNAVAILABLE, _SOON.format(name=event), retry_after_ms=_SOON_MS)
        return Refusal(Status.NOT_FOUND, _UNKNOWN.format(name=event[:_LONGEST_NAME]))

    def promise(self, event: str) -> None:
        """Announce an event: connections for it are asked to come back in a moment. Any thread may call it."""
        self._router.setdefault(event, None)

    def promise_at(self, event: str, begins: float) -> None:
        """Announce an event that begins at a time, in seconds since 1970: connections for it are asked to wait."""
        self._router[event] = begins

    def forget(self, event: str) -> None:
        """Forget an event: from now on its name is unknown."""
        self._router.pop(event, None)

    @contextmanager
    def opened(self, event: str, entry: EventEntry) -> Iterator[None]:
        """Open an event to connections in this context. Before and after it, the event counts as promised."""
        self._router[event] = entry
        entry.server.sessions.announce(self._announcements)
        try:
            yield
        finally:
            # Bots without a Goodbye resume when the event goes on.
            entry.server.sessions.suspend(_STOPPED)
            self._router[event] = None

    def review(self) -> None:
        """End the sessions that are no longer permitted, in all events."""
        for _, server in self.servers():
            server.review()

    def announce(self, standing: Sequence[v1.Announcement]) -> None:
        """Send announcements to the bots of all events and of the standing tables, each once for each connection."""
        self._announcements = standing
        for _, server in self.servers():
            server.sessions.announce(standing)

    def servers(self) -> list[tuple[str, Server]]:
        """Return the servers of the open events with their names; that of the standing tables has an empty name."""
        opened = [(name, one.server) for name, one in self._router.items() if isinstance(one, EventEntry)]
        return [("", self._always), *opened]


def _later(event: str, begins: float, *, now: float) -> Refusal:
    """Return the refusal of a connection for an event that begins at a time, in seconds since 1970."""
    left_ms = max(_SOON_MS, int((begins - now) * 1000))
    sentence = _LATER.format(name=event, time=f"{datetime.fromtimestamp(begins, UTC):%Y-%m-%d %H:%M:%S} UTC")
    return Refusal(Status.UNAVAILABLE, sentence, retry_after_ms=min(left_ms, _LONGEST_PAUSE_MS))
