"""How many messages that answer no open decision a bot may send.

Answers to open decisions are never counted: there are only as many of them as the server asks questions, and strikes.
"""

import math
from typing import Final

from ordago import v1
from ordago.arena.allowance import Allowance
from ordago.protocol import ReceivedChoice

MESSAGES_PER_SECOND: Final = 50
"""How many messages that answer no open decision are borne with."""
_FAR_OVER: Final = 10
"""So many times as many, and the session ends."""
_MATCHES_A_MESSAGE: Final = 50
"""How many matches, taken up again, cost the server as much as a message; those of no bot cost more than may come."""
FLOODED: Final = "far too many messages that answer no open decision; the session is over"


class FloodGuard:
    """Counts the messages of one session that answer no open decision."""

    def __init__(self) -> None:
        self._borne = Allowance(per_second=MESSAGES_PER_SECOND, at_once=MESSAGES_PER_SECOND)
        many = _FAR_OVER * MESSAGES_PER_SECOND
        self._far_over = Allowance(per_second=many, at_once=many)
        self.overrun = False
        """Whether so many came that the session is to be ended."""

    def count(self, *, at: float, messages: int = 1) -> float:
        """Count messages that arrived at a time, and return for how many seconds none should follow; 0 if one may."""
        if self._far_over.take(at=at, amount=messages):
            self.overrun = True
        return self._borne.take(at=at, amount=messages)

    def count_resume(self, *, at: float, matches: int) -> float:
        """Count a resume of a session with some matches, of which all is sent again; see ``count``."""
        return self.count(at=at, messages=1 + matches // _MATCHES_A_MESSAGE)


def too_many(choice: ReceivedChoice, *, wait_seconds: float) -> v1.Refused:
    """Return what is said to a choice that is one too many."""
    return v1.Refused(
        match_handle=choice.match_handle,
        number=choice.number,
        fault=v1.FAULT_FLOODING,
        sentence=f"more than {MESSAGES_PER_SECOND} messages a second that answer no open decision",
        retry_after_ms=math.ceil(wait_seconds * 1000),
    )
