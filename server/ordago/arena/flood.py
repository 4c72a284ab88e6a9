"""The rate limit for messages that answer no open decision.

Answers to open decisions are never counted: the server's own questions, and strikes, limit their number.
"""

import math
from typing import Final

from ordago import v1
from ordago.arena.allowance import Allowance
from ordago.protocol import ReceivedChoice

MESSAGES_PER_SECOND: Final = 50
"""Messages a second, answering no open decision, that a bot may send before they are refused as flooding."""
_FAR_OVER: Final = 10
"""Multiple of that rate at which the session ends."""
_MATCHES_A_MESSAGE: Final = 50
"""Matches to resume that count as one message. So no resume of any bot counts for more than the limit allows."""
FLOODED: Final = "far too many messages that answer no open decision; the session is over"


class FloodGuard:
    """Counts the messages of one session that answer no open decision."""

    def __init__(self) -> None:
        self._borne = Allowance(per_second=MESSAGES_PER_SECOND, at_once=MESSAGES_PER_SECOND)
        many = _FAR_OVER * MESSAGES_PER_SECOND
        self._far_over = Allowance(per_second=many, at_once=many)
        self.overrun = False
        """True once the session has to end for flooding."""

    def count(self, *, at: float, messages: int = 1) -> float:
        """Count messages that arrived at a time; return 0 if they are within the rate, else the seconds to wait."""
        if self._far_over.take(at=at, amount=messages):
            self.overrun = True
        return self._borne.take(at=at, amount=messages)

    def count_resume(self, *, at: float, matches: int) -> float:
        """Count a resume, after which the state of each match is sent again; see ``count``."""
        return self.count(at=at, messages=1 + matches // _MATCHES_A_MESSAGE)


def too_many(choice: ReceivedChoice, *, wait_seconds: float) -> v1.Refused:
    """Return the refusal of a choice beyond the rate limit."""
    return v1.Refused(
        match_handle=choice.match_handle,
        number=choice.number,
        fault=v1.FAULT_FLOODING,
        sentence=f"more than {MESSAGES_PER_SECOND} messages a second that answer no open decision",
        retry_after_ms=math.ceil(wait_seconds * 1000),
    )
