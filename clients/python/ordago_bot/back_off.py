"""When a bot comes back whose connection was lost: how long it waits, and when it gives up."""

from typing import Final, NamedTuple

# Those of the contract (docs/protocol.md, broken connections).
_FIRST_PAUSE_SECONDS: Final = 0.25
_LONGEST_PAUSE_SECONDS: Final = 8.0
_LEAST_OF_A_PAUSE: Final = 0.5
"""The part of a pause that is waited at least. The rest is chance, so that not all bots of a server come at once."""
_MOST_BEYOND: Final = 0.25
"""How much longer than it was told to a bot may wait, as a part of that."""
_MS_PER_SECOND: Final = 1000
PATIENCE_SECONDS: Final = 30.0
"""For how long a server that does not answer is tried at least."""
EXIT_OK: Final = 0
EXIT_SESSION_ENDED: Final = 3


class End(NamedTuple):
    """How a connection ended."""

    status: str
    """The name of the gRPC status, for instance ``UNAVAILABLE``; ``OK`` where it ended in good order."""
    sentence: str = ""
    """Why, in words of gRPC or of the server."""
    retry_after_ms: int = 0
    """How long the server wants to be left alone, as it said beside the status; 0 where it did not."""

    @property
    def reason(self) -> str:
        """Why it ended, for people."""
        return self.sentence or ("the stream ended" if self.status == "OK" else self.status)


class Pause(NamedTuple):
    """The bot comes back after a pause."""

    seconds: float


class Over(NamedTuple):
    """The bot does not come back."""

    exit_code: int
    """What its process ends with."""
    sentence: str
    """Why."""


class BackOff:
    """How long to wait before each attempt to come back, since the server was last heard of."""

    def __init__(self) -> None:
        """Begin with the shortest pause."""
        self._next = _FIRST_PAUSE_SECONDS
        self._since: float | None = None

    def begin_anew(self) -> None:
        """Learn that the server is there."""
        self._next, self._since = _FIRST_PAUSE_SECONDS, None

    def next(self, *, now: float, patience_seconds: float, jitter: float) -> Pause | None:
        """Return the next pause, twice the one before, within a bound; ``None`` if this goes on for too long.

        Args:
            now: the time, in seconds by a clock that only goes forward.
            patience_seconds: for how long it is tried in vain.
            jitter: chance, evenly from 0 to 1.
        """
        if self._since is None:
            self._since = now
        if now - self._since > patience_seconds:
            return None
        seconds, self._next = self._next, min(2 * self._next, _LONGEST_PAUSE_SECONDS)
        return Pause(seconds * (1 - jitter * _LEAST_OF_A_PAUSE))

    def told(self, milliseconds: int, *, jitter: float) -> Pause:
        """Return the pause that the server asked for, or a little more. It is there, so that all begins anew."""
        self.begin_anew()
        return Pause(milliseconds / _MS_PER_SECOND * (1 + jitter * _MOST_BEYOND))
