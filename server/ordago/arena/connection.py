"""What the arena needs of a transport. The edge offers it over gRPC, the tests in memory."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol


@unique
class Status(Enum):
    """How a connection ends; the names are those of gRPC."""

    OK = "OK"
    """After a Goodbye."""
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    """A frame could not be understood."""
    UNAUTHENTICATED = "UNAUTHENTICATED"
    """There was no token, or one that is not valid."""
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    """No common version or game, or a message out of order."""
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    """A limit was passed."""
    ABORTED = "ABORTED"
    """Another connection took over the session."""
    UNAVAILABLE = "UNAVAILABLE"
    """The server goes down; come back with a resume."""


@dataclass(slots=True)
class Departure:
    """When a frame left. The transport corrects it at the moment of the writing."""

    at: float
    """In seconds of trio's clock."""


class Connection(Protocol):
    """One connection of a bot."""

    @property
    def token(self) -> str | None:
        """The token that came with the connection; ``None`` if none did."""

    @property
    def cut_off(self) -> bool:
        """Whether it was ended because the bot did not read what was sent to it."""

    def send(self, frame: bytes) -> Departure:
        """Queue a frame; whatever is queued together goes out together."""

    def close(self, status: Status, sentence: str) -> None:
        """End the connection after what is queued. Nothing may be sent afterwards."""


class Visit(Protocol):
    """What a transport tells about one connection, always in trio's thread."""

    def received(self, frame: bytes, at: float) -> None:
        """A frame came in, at this time of trio's clock in seconds."""

    def failed(self) -> None:
        """The server failed while it took in a frame: the connection is to be ended."""

    def lost(self) -> None:
        """The connection is gone. Nothing more comes, and nothing can be sent."""


Reception = Callable[[Connection], Visit]
"""Takes a new connection and says who is to be told about it."""
