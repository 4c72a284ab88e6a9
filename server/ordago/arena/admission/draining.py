"""What bots are told when their server will go down."""

import math
from typing import NamedTuple

import trio

from ordago import v1


class DrainingUntil(NamedTuple):
    """That the server will go down."""

    sentence: str
    closing_at: float
    """When at the latest, in seconds of trio's clock."""

    def message(self) -> v1.Draining:
        """Return the message, as it is true now. Zero would mean that nobody knows when."""
        left_ms = math.ceil(1000 * (self.closing_at - trio.current_time()))
        return v1.Draining(sentence=self.sentence, closing_in_ms=max(1, left_ms))
