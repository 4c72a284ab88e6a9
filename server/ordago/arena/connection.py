"""The interface between the arena and a transport: ``ordago.edge`` implements it over gRPC, tests in memory."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from enum import Enum, unique
from typing import Protocol, final

from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry


@unique
class Status(Enum):
    """Status codes that a connection ends with; the names are those of gRPC."""

    OK = "OK"
    """After a Goodbye."""
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    """A frame could not be understood."""
    UNAUTHENTICATED = "UNAUTHENTICATED"
    """There was no token, or one that is not valid."""
    PERMISSION_DENIED = "PERMISSION_DENIED"
    """The token is valid, but not for this."""
    NOT_FOUND = "NOT_FOUND"
    """There is no event of the name that the bot asked for."""
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    """No common version or game, or a message out of order."""
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    """A limit was exceeded."""
    ABORTED = "ABORTED"
    """Another connection took over the session."""
    UNAVAILABLE = "UNAVAILABLE"
    """The server is going down; the bot may resume at the next one."""


@final
class Departure:
    """The moment when a frame left. The sender fills it in; the transport corrects it when the frame is written.

    Attributes:
        at: the time, in seconds of the referee's clock.
        lost: the time that the server had lost before, in seconds.
    """

    __slots__ = ("at", "lost")

    def __init__(self, at: float, lost: float = 0.0) -> None:
        """Fill in the moment of sending."""
        self.at = at
        self.lost = lost


class Connection(Protocol):
    """One connection of a bot."""

    @property
    def token(self) -> str | None:
        """The token that came with the connection; ``None`` if none did."""

    @property
    def lacks_bearer(self) -> bool:
        """True if the authorization was not a bearer token: a token without ``Bearer`` before it, for instance."""

    @property
    def event(self) -> str:
        """The event that the bot asks for; empty for the tables that are always open."""

    @property
    def origin(self) -> str:
        """The address of the peer, as a prefix where one host may own a whole range."""

    @property
    def cut_off(self) -> bool:
        """True if it was ended because the bot did not read its messages."""

    def send(self, frame: bytes, departure: Departure | None = None) -> None:
        """Queue a frame. Frames queued together are sent together.

        Args:
            frame: the frame.
            departure: is corrected when the frame leaves; ``None`` if no clock runs from then on.
        """

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the connection after the queued frames. Nothing may be sent afterwards.

        Args:
            status: the status code.
            sentence: the reason.
            retry_after_ms: the time after which to try again, in milliseconds; 0 to give none.
        """


class ConnectionHandler(Protocol):
    """The receiver of what happens on one connection. Called in trio's thread."""

    def received(self, frame: bytes, at: float) -> Iterator[None]:
        """Process a frame that arrived at this time, in seconds of the referee's clock, portion by portion.

        Between two portions other tasks may run. Nothing is processed before the first portion is asked for.
        """

    def failed(self) -> None:
        """End the connection, since the server failed while it processed a frame."""

    def lost(self) -> None:
        """Note that the connection is gone: nothing more arrives, and nothing can be sent."""


class Acceptor(Protocol):
    """A server, as a transport sees it: accepts connections."""

    @property
    def clock(self) -> RefereeClock:
        """The clock that bots are charged by."""

    @property
    def telemetry(self) -> Telemetry:
        """The telemetry of the server."""

    def together(self) -> AbstractContextManager[None]:
        """Journal all choices made in this context in one write at its end, before any bot is notified of them.

        If the write fails, the matches of all these choices are void. A bot may then be notified that its choice
        stands, and right after it that the match is void.
        """

    def __call__(self, connection: Connection) -> ConnectionHandler:
        """Accept a new connection and return its handler."""
