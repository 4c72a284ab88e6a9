"""Pauses between attempts to reconnect. ``player.Player.lost`` decides whether to reconnect at all."""

from typing import Final, NamedTuple

from ordago_bot.log import Event

# The pauses that the contract asks for (docs/protocol.md, broken connections).
_FIRST_PAUSE_SECONDS: Final = 0.25
_LONGEST_PAUSE_SECONDS: Final = 8.0
_LEAST_OF_A_PAUSE: Final = 0.5
"""The greatest part of a pause that is cut at random, so that not all bots of a server come back at once."""
_MOST_BEYOND: Final = 0.25
"""The greatest random addition to a pause that the server asked for, as a fraction of it."""
_MS_PER_SECOND: Final = 1000
PATIENCE_SECONDS: Final = 30.0
"""Seconds to keep trying a server that does not answer; longer while the session can be resumed."""
EXIT_OK: Final = 0
EXIT_SESSION_ENDED: Final = 3


class End(NamedTuple):
    """The end of a connection."""

    status: str
    """The name of the gRPC status, for instance ``UNAVAILABLE``; ``OK`` if the stream ended regularly."""
    sentence: str = ""
    """The reason, in the words of gRPC or of the server."""
    retry_after_ms: int = 0
    """Milliseconds to wait before the next attempt, sent by the server with the status; 0 if it sent none."""

    @property
    def reason(self) -> str:
        """The reason, for people; never empty."""
        return self.sentence or ("the stream ended" if self.status == "OK" else self.status)


class Pause(NamedTuple):
    """The order to reconnect after a pause."""

    seconds: float
    event: Event
    """The end of the connection before, for the log."""


class Over(NamedTuple):
    """The order to end, without reconnecting."""

    exit_code: int
    """The exit code of the process."""
    event: Event
    """The reason, for the log."""


class BackOff:
    """Pauses before the attempts to reconnect, counted since the server last answered."""

    def __init__(self) -> None:
        """Begin with the shortest pause."""
        self._next = _FIRST_PAUSE_SECONDS
        self._since: float | None = None

    def begin_anew(self) -> None:
        """Start again with the shortest pause, since the server answered."""
        self._next, self._since = _FIRST_PAUSE_SECONDS, None

    def next(self, *, now: float, patience_seconds: float, jitter: float) -> float | None:
        """Return the seconds of the next pause, twice the one before up to 8; ``None`` when it is time to give up.

        Args:
            now: the time, in seconds of a monotonic clock.
            patience_seconds: seconds of failed attempts before giving up.
            jitter: a random number from 0 to 1; 0 keeps the whole pause, 1 halves it.
        """
        if self._since is None:
            self._since = now
        if now - self._since > patience_seconds:
            return None
        seconds, self._next = self._next, min(2 * self._next, _LONGEST_PAUSE_SECONDS)
        return seconds * (1 - jitter * _LEAST_OF_A_PAUSE)

    def asked_for(self, milliseconds: int, *, jitter: float) -> float:
        """Return the seconds that the server asked for, lengthened by up to a quarter; then start with the shortest."""
        self.begin_anew()
        return milliseconds / _MS_PER_SECOND * (1 + jitter * _MOST_BEYOND)
