"""Budget of time for a bot that imagines deals: as many as there is time for, by what earlier ones cost."""

import math
from typing import Final

_SECONDS_AT_FIRST: Final = 0.0005
"""What a deal is taken to cost at first: about what the dearest policy of the house takes for one."""
_SHARE_OF_TIME_LEFT: Final = 0.1
"""The part of the time left that a decision may take. On a busy machine a process waits for most of the time: with a
load of twelve on two cores a quarter of 50 ms was too late once in a hundred decisions, a tenth once in a thousand."""
_FORGETTING: Final = 0.995
"""What is left of an earlier cost after each decision: half after 138, some deals, so that one busy moment warns of the
next."""


class Budget:
    """The deals that a bot has time to imagine, by the time that earlier ones took."""

    def __init__(self, *, seconds: float = math.inf) -> None:
        """Begin a match in which no decision may take longer than some seconds."""
        self._seconds = seconds
        self._measured = 0.0

    def worlds(self, most: int, *, left: float) -> int:
        """Return how many deals to imagine, from 1 to ``most``, with some seconds left for the decision."""
        allowed = min(self._seconds, left * _SHARE_OF_TIME_LEFT)
        each = self._measured or _SECONDS_AT_FIRST
        return most if most * each <= allowed else max(1, int(allowed / each))

    def took(self, worlds: int, *, seconds: float) -> None:
        """Learn how long a decision took. The dearest counts longest, since the first tricks of a deal are dear."""
        self._measured = max(seconds / worlds, self._measured * _FORGETTING)
