"""Rate limits and limits of open streams for each address."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import trio

from ordago.arena.allowance import Allowances
from ordago.edge.origins import endpoint
from ordago.scene import english

_READS_AT_ONCE: Final = 400
"""A replay has some hundred card faces, and a page a dozen pictures and scripts."""
_READS_PER_SECOND: Final = 40.0
_WRITES_AT_ONCE: Final = 60
_WRITES_PER_SECOND: Final = 10.0
_STREAMS_OF_ONE: Final = 12
_STREAMS: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressBounds:
    """The limits of a site."""

    reads_at_once: float = _READS_AT_ONCE
    """The burst of pages, pictures and scripts of one address."""
    reads_per_second: float = _READS_PER_SECOND
    writes_at_once: float = _WRITES_AT_ONCE
    """The burst of changes from one address."""
    writes_per_second: float = _WRITES_PER_SECOND
    streams_of_one: int = _STREAMS_OF_ONE
    """The limit of open streams of one address."""
    streams: int = _STREAMS
    """The limit of open streams of all addresses together."""


class TooManyError(Exception):
    """A limit is exceeded. The message names it, and says what to do."""


class Limits:
    """Counts the requests of addresses. For use in trio's thread only."""

    def __init__(self, bounds: AddressBounds | None = None, *, clock: Callable[[], float] = trio.current_time) -> None:
        """Begin with full allowances.

        Args:
            bounds: the limits; the usual ones if ``None``.
            clock: the time in seconds.
        """
        self._bounds = bounds or AddressBounds()
        self._clock = clock
        self._reads = Allowances(per_second=self._bounds.reads_per_second, at_once=self._bounds.reads_at_once)
        self._writes = Allowances(per_second=self._bounds.writes_per_second, at_once=self._bounds.writes_at_once)
        self._open = Counter[str]()

    def take(self, origin: str, *, writes: bool) -> float:
        """Count a request, and return the seconds by which it is too early: 0 if it may be answered."""
        return (self._writes if writes else self._reads).take(origin, at=self._clock())

    @contextmanager
    def stream(self, origin: str) -> Iterator[None]:
        """Count an open stream.

        Raises:
            TooManyError: this address, or all of them together, have too many.
        """
        if self._open[origin] >= self._bounds.streams_of_one:
            raise TooManyError(
                english(
                    "Your address already watches as many tables as it may, {number}: close one of them.",
                    number=self._bounds.streams_of_one,
                )
            )
        if self._open.total() >= self._bounds.streams:
            raise TooManyError(english("The site has no room for more viewers: try again in a few minutes."))
        self._open[origin] += 1
        try:
            yield
        finally:
            self._open[origin] -= 1
            if not self._open[origin]:
                del self._open[origin]


def origin_of_host(host: str) -> str:
    """Return the key by which a host is counted: its IPv4 address or IPv6 network, or the text if it is no address."""
    try:
        return endpoint(host, 0).origin
    except ValueError:
        return host
