"""The limits of requests to the rules, and the reasons for refusing one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum, unique
from typing import Final

MOST_STATES: Final = 10_000
"""The most states, steps or worlds of one call: a second's work, and 5 MB where a state has 500 bytes."""
MOST_WORLDS: Final = 100_000
"""The most worlds of an evaluation, which does not hand them out: more than ten seconds allow."""
MOST_CANDIDATES: Final = 1024
"""More than a bot can tell apart in ten seconds."""
MOST_TIMES: Final = 10_000
MOST_SEED_BYTES: Final = 64
MOST_MESSAGE_BYTES: Final = 16 << 20
"""The largest request and answer: 10,000 states of most games, with their legal actions."""
MOST_SECONDS: Final = 10.0
"""The time for a call. A bot has less for a decision."""
FIRST_WORLD_SECONDS: Final = 2.0
"""The time for the first world. One takes at most a few milliseconds, unless nothing fits the view."""
GRACE_SECONDS: Final = 1.0
"""The time to finish a world that was begun before the time was up."""


@unique
class Why(IntEnum):
    """The reason why a request is not answered, as one byte between two processes. 0 means that it is answered."""

    UNFIT = 1
    """The request is wrong."""
    TOO_LARGE = 2
    """It asks for too much."""
    FOREIGN_STATE = 3
    """A state was made by another service, or changed."""
    TOO_LONG = 4
    """It takes too long."""
    FAILED = 5
    """The rules failed."""


class RequestError(Exception):
    """A request is not answered."""

    def __init__(self, why: Why, sentence: str) -> None:
        """Take the reason, and a sentence on what is wrong, where, and what would be right."""
        super().__init__(sentence)
        self.why = why


def unfit(sentence: str) -> RequestError:
    """Return the error for a request that is wrong."""
    return RequestError(Why.UNFIT, sentence)


def check_number(number: int, what: str, *, most: int) -> None:
    """Check that a request asks for at least one of something, and not for too many.

    Raises:
        RequestError: it does not.
    """
    if number < 1:
        raise unfit(f"the request has no {what}: ask for 1 to {most:,}")
    if number > most:
        raise RequestError(Why.TOO_LARGE, f"{number:,} {what} are too many for one call: at most {most:,}")


@contextmanager
def within(seconds: float, error: RequestError) -> Iterator[None]:
    """Raise an error if the context takes longer. Only for the main thread."""

    def ring(_signal: int, _frame: object) -> None:
        raise error

    before = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)
