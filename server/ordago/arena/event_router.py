"""The events that a server plays beside what it always plays: each connection comes in for one of them, by its name."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from ordago import v1
from ordago.arena.admission.authenticator import Refusal
from ordago.arena.connection import Connection, ConnectionHandler, Status
from ordago.arena.server import Server

_LONGEST_NAME: Final = 64
"""So much of a name is told again that a stranger gave."""
_UNKNOWN: Final = "no event {name!r} is open here; 'ordago event list' names those that are"
_STOPPED: Final = "it has stopped here for now; come back with a resume"
_SOON: Final = "the event {name!r} is about to go on; come back in a moment"
_SOON_MS: Final = 1_000


class EventEntry(NamedTuple):
    """Where bots come in for an event."""

    server: Server
    """Takes their connections."""
    described: v1.DescribeEventResponse
    """What is told of the event to whoever asks."""


class EventRouter:
    """Hands each connection to the server of the event that it names, or to that of what is always played.

    It is a ``connection.Acceptor``. What says so may be called in any thread, all else belongs to trio's.
    """

    def __init__(
        self, always: Server, described: Callable[[], v1.DescribeEventResponse] = v1.DescribeEventResponse
    ) -> None:
        """Begin without any event.

        Args:
            always: takes the connections of those who name none, and counts those who name one that is not open.
            described: returns what is told of what is always played.
        """
        self._always = always
        self._described = described
        self.clock = always.clock
        """The clock that bots are charged by, in all of them."""
        self.telemetry = always.telemetry
        """Where it is told what happens."""
        self.together: Final = always.together
        """Keeps what bots choose at what is always played in one go. See ``connection.Acceptor``."""
        self._router: dict[str, EventEntry | None] = {}
        """Those of the events; ``None`` where nobody can come in yet."""

    def __call__(self, connection: Connection) -> ConnectionHandler:
        """Take a new connection and return who is to be told about it."""
        if not connection.event:
            return self._always(connection)
        entry = self._entry(connection.event)
        if isinstance(entry, Refusal):
            return self._always.turn_away(connection, entry)
        return entry.server(connection)

    def described(self, event: str) -> v1.DescribeEventResponse | Refusal:
        """Return what is told of an event, or of what is always played; or why nothing is. Any thread may ask."""
        if not event:
            return self._described()
        entry = self._entry(event)
        return entry if isinstance(entry, Refusal) else entry.described

    def _entry(self, event: str) -> EventEntry | Refusal:
        entry = self._router.get(event)
        if entry is not None:
            return entry
        if event in self._router:
            return Refusal(Status.UNAVAILABLE, _SOON.format(name=event), retry_after_ms=_SOON_MS)
        return Refusal(Status.NOT_FOUND, _UNKNOWN.format(name=event[:_LONGEST_NAME]))

    def promise(self, event: str) -> None:
        """Say that an event is about to be open: whoever comes for it is told to come again. Any thread may say so."""
        self._router.setdefault(event, None)

    def forget(self, event: str) -> None:
        """Say that an event is not open any more."""
        self._router.pop(event, None)

    @contextmanager
    def opened(self, event: str, entry: EventEntry) -> Iterator[None]:
        """Let bots come in for an event in this context. What is open was promised, and is so again afterwards."""
        self._router[event] = entry
        try:
            yield
        finally:
            # Whoever has not been told that all is over comes back when it goes on.
            entry.server.sessions.suspend(_STOPPED)
            self._router[event] = None

    def review(self) -> None:
        """End the sessions of those whose leave is not good any more."""
        self._always.review()
        for entry in list(self._router.values()):
            if entry is not None:
                entry.server.review()
