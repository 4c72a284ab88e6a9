"""The interface of a seat to the driver of its match."""

from typing import Protocol

from ordago import v1
from ordago.match import Reply


class Driver(Protocol):
    """The driver of the match that a seat belongs to."""

    def answered(self, reply: Reply) -> None:
        """Go on with the reply to the open question."""

    def forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> None:
        """Take the default answers for a seat from now on."""

    def fail(self, failure: Exception) -> None:
        """End the match, since the server failed in it."""
