"""What the arena needs of a transport. The edge offers it over gRPC, the tests in memory."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from enum import Enum, unique
from typing import Protocol, final

from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry


@unique
class Status(Enum):
    """How a connection ends; the names are those of gRPC."""

    OK = "OK"
    """After a Goodbye."""
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    """A frame could not be understood."""
    UNAUTHENTICATED = "UNAUTHENTICATED"
    """There was no token, or one that is not valid."""
    PERMISSION_DENIED = "PERMISSION_DENIED"
    """The token is valid, but not for this."""
    NOT_FOUND = "NOT_FOUND"
    """There is no event of the name that the bot came in for."""
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    """No common version or game, or a message out of order."""
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    """A limit was passed."""
    ABORTED = "ABORTED"
    """Another connection took over the session."""
    UNAVAILABLE = "UNAVAILABLE"
    """The server goes down; come back with a resume."""


@final
class Departure:
    """When a frame left. Whoever sends it fills in the moment; the transport corrects it when the frame is written.

    Attributes:
        at: in seconds of the referee's clock.
        lost: how much time the server had lost before, in seconds.
    """

    __slots__ = ("at", "lost")

    def __init__(self, at: float, lost: float = 0.0) -> None:
        """Fill in a moment."""
        self.at = at
        self.lost = lost


class Connection(Protocol):
    """One connection of a bot."""

    @property
    def token(self) -> str | None:
        """The token that came with the connection; ``None`` if none did."""

    @property
    def lacks_bearer(self) -> bool:
        """Whether something else came where the token belongs, for instance a token without ``Bearer`` before it."""

    @property
    def event(self) -> str:
        """The event that the bot comes in for; empty where it named none, and comes in for what is always played."""

    @property
    def origin(self) -> str:
        """Where the connection comes from: an address, the same for all that one host may well have."""

    @property
    def cut_off(self) -> bool:
        """Whether it was ended because the bot did not read what was sent to it."""

    def send(self, frame: bytes, departure: Departure | None = None) -> None:
        """Queue a frame; whatever is queued together goes out together.

        Args:
            frame: what is sent.
            departure: what to correct when it leaves; ``None`` where nobody counts the time from then on.
        """

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        """End the connection after what is queued. Nothing may be sent afterwards.

        Args:
            status: how it ends.
            sentence: why.
            retry_after_ms: when it is worth while to come again; 0 where nothing is said about that.
        """


class ConnectionHandler(Protocol):
    """What a transport tells about one connection, always in trio's thread."""

    def received(self, frame: bytes, at: float) -> Iterator[None]:
        """Take in a frame that came at this time of the referee's clock in seconds, portion by portion.

        Between two portions others may get their turn. Nothing is taken in before the first is asked for.
        """

    def failed(self) -> None:
        """The server failed while it took in a frame: the connection is to be ended."""

    def lost(self) -> None:
        """The connection is gone. Nothing more comes, and nothing can be sent."""


class Acceptor(Protocol):
    """Takes connections."""

    @property
    def clock(self) -> RefereeClock:
        """The clock that bots are charged by."""

    @property
    def telemetry(self) -> Telemetry:
        """Where it is told what happens."""

    def together(self) -> AbstractContextManager[None]:
        """Keep what bots choose within this context in one go, at its end, before any of them is told of it.

        Where it cannot be kept, the matches of all that was chosen in it are void: bots may be told that a choice
        stands just before they are told that.
        """

    def __call__(self, connection: Connection) -> ConnectionHandler:
        """Take a new connection and say who is to be told about it."""
