"""Limits on TCP and Unix connections, below the calls.

grpc does not report a connection before its first call, so thousands could be open unseen. But their sockets belong to
this process, which lists them soon after any change. A connection is idle outside of calls in which its client may be
silent, such as the stream of a bot, a spectator or a download. Idle connections have to make a call now and then, and
if there are too many of them, the oldest are shut.
"""

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ordago.arena.allowance import Allowance
from ordago.edge.origins import Endpoint
from ordago.edge.sockets import Socket, Visitor, has_fewer_files_open, number_of_files, open_sockets, shut, visitor_at
from ordago.telemetry.telemetry import Telemetry

_LOOK_SECONDS: Final = 0.25
"""The interval of checks for new or closed connections; longer if a check is much work (``_LOOK_SHARE``)."""
_FEW_FILES: Final = 128
"""With fewer open files a check is as quick as a switch to another thread and back: 0.1 ms, and 3 ms at worst."""
_LOOK_ANYWAY_SECONDS: Final = 1.0
"""The interval of checks without a sign of change: one connection may have come as another went."""
_LOOK_SHARE: Final = 0.2
"""The greatest share of time for checks, so that thousands of connections are checked less often."""
_NOTICES_PER_SECOND: Final = 50.0
"""The most extra checks for a client that has just connected."""
_CALLS_AT_ONCE: Final = 200
_CALLS_PER_SECOND: Final = 50.0
"""The rate of calls on one connection. A bot makes one for each time that it connects."""
_YOUNG_SECONDS: Final = 1.0
"""The age below which a connection does not count for its address, since a class may connect all at once."""


MOST_CONNECTIONS: Final = 4096
"""Connections of 2,048 bots, and as many that have none."""


@dataclass(frozen=True, slots=True)
class TransportBounds:
    """Limits on connections."""

    idle_seconds: float = 10.0
    """The longest time without a call on an idle connection."""
    idle_of_one: int = 256
    """The most such connections from one address, apart from those younger than a second."""
    idle: int = 1024
    """The most such connections in all."""
    of_one_process: int = 64
    """The most connections of one process at a Unix socket, where idle connections cannot be told from others."""
    in_all: int = MOST_CONNECTIONS
    """The most connections that grpc accepts."""


@dataclass(slots=True)
class _Calls:
    """Calls on one connection."""

    last_at: float
    plays: int = 0
    """The number of open calls in which the client may be silent for long: streams of bots, spectators of matches and
    events, downloads, and changes of events that wait."""
    too_many: bool = False
    allowance: Allowance = field(
        default_factory=lambda: Allowance(per_second=_CALLS_PER_SECOND, at_once=_CALLS_AT_ONCE)
    )


_NO_CALLS: Final = _Calls(0.0)


@dataclass(slots=True, eq=False)
class _Transport:
    """A connection."""

    socket: Socket
    visitor: Visitor
    since: float
    shut: bool = False


class _SortedOut(NamedTuple):
    """Open connections that may have to be shut."""

    flooding: list[_Transport]
    """Connections with far too many calls."""
    idle: list[_Transport]
    """Idle connections, the oldest first."""
    local: list[_Transport]
    """Connections at a Unix socket, where idle ones cannot be told from others, the oldest first."""


class Transports:
    """The connections of one server. Used in the threads of grpc."""

    def __init__(
        self,
        telemetry: Telemetry,
        *,
        tls: bool,
        bounds: TransportBounds | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin without connections.

        Args:
            telemetry: receives the connections shut and the failed handshakes.
            tls: connections begin with a TLS handshake, which may fail.
            bounds: the limits; ``None`` for the defaults.
            now: a monotonic clock, in seconds.
        """
        self.bounds = bounds or TransportBounds()
        """The limits."""
        self._telemetry = telemetry
        self._tls = tls
        self._now = now
        self._address, self._port = "", 0
        self._looking = threading.Lock()
        """Held while the sockets are listed, so that an older list never replaces a newer one."""
        self._lock = threading.Lock()
        """Held only briefly, since streams that begin or end need it."""
        self._known: dict[Socket, _Transport] = {}
        self._others: set[Socket] = set()
        """Sockets that are no connections of this server."""
        self._calls: dict[Endpoint, _Calls] = {}
        self._came = False
        """True if a client connected, a call came, or one in which it may be silent ended since the last check."""
        self._files, self._looked_at = 0, 0.0
        self._notices = Allowance(per_second=_NOTICES_PER_SECOND, at_once=_NOTICES_PER_SECOND)

    def listen(self, address: str, port: int) -> None:
        """Set the server's address, in grpc's form, and its port (0 at a Unix socket); before, none are found."""
        self._address, self._port = address, port

    # Calls

    def call(self, end: Endpoint | None) -> bool:
        """Count a call; return False to refuse it. A connection with far too many calls is shut at the next check."""
        if end is None:
            return True
        with self._lock:
            self._came, now = True, self._now()
            calls = self._calls.setdefault(end, _Calls(now))
            calls.last_at = now
            if not calls.allowance.take(at=now):
                return True
            calls.too_many = True
            return False

    def play_begins(self, end: Endpoint | None) -> None:
        """Count a new call in which the client may be silent: meanwhile its connection is not idle."""
        if end is not None:
            with self._lock:
                self._calls.setdefault(end, _Calls(self._now())).plays += 1

    def play_ends(self, end: Endpoint | None) -> None:
        """Count the end of such a call."""
        with self._lock:
            calls = None if end is None else self._calls.get(end)
            if calls is not None:
                self._came = True
                calls.plays -= 1
                calls.last_at = self._now()

    # Checks

    def notice(self) -> None:
        """List the connections after a handshake began, within a rate limit: it may be gone at the next check."""
        self._came = True  # If it is gone by then, the number of open files shows no change.
        if not self._notices.take(at=self._now()) and self._looking.acquire(blocking=False):
            try:
                self._find_all()
            finally:
                self._looking.release()

    async def watch(self) -> None:
        """Check the connections until cancelled."""
        while True:
            if not self._is_due():
                work_seconds = 0.0
            elif has_fewer_files_open(_FEW_FILES):
                work_seconds = self._look_and_go_on()
            else:
                # In another thread, since the system takes long to list thousands, and no stream must wait for that.
                work_seconds = await asyncio.to_thread(self._look_and_go_on)
            await asyncio.sleep(max(_LOOK_SECONDS, work_seconds / _LOOK_SHARE))

    def _is_due(self) -> bool:
        """Return True if a check is due: there was a sign of change, or the last check is a while ago."""
        files, now = number_of_files(), self._now()
        is_as_it_was = bool(files) and files == self._files and not self._came
        if is_as_it_was and now - self._looked_at < _LOOK_ANYWAY_SECONDS:
            return False
        self._came, self._files, self._looked_at = False, files, now
        return True

    def _look_and_go_on(self) -> float:
        """Check the connections, log any error, and return the CPU time in seconds."""
        begun = time.thread_time()
        try:
            self.look()
        except Exception:  # noqa: BLE001 - an error in a check must not stop matches
            self._came = True  # Check again as soon as possible.
            self._telemetry.failed_at("looking at the connections")
        return time.thread_time() - begun

    def look(self) -> None:
        """Check all connections, and shut those over the limits."""
        with self._looking:
            self._find_all()
        with self._lock:
            now = self._now()
            self._forget_calls(now)
            sorted_out = self._sorted_out()
            self._shut(sorted_out.flooding, "too many calls")
            quiet = [one for one in sorted_out.idle if now - self._last_at(one) > self.bounds.idle_seconds]
            self._shut(quiet, f"idle for {self.bounds.idle_seconds:g} s")
            left = [one for one in sorted_out.idle if not one.shut]
            self._shut(self._too_many(left, now), "too many idle connections")
            self._shut(self._too_many_of_processes(sorted_out.local), "too many connections of one process")
            self._telemetry.counters.gate.connections_at[f"{self._address}:{self._port}"] = len(self._known)
            if len(self._known) >= self.bounds.in_all:
                self._telemetry.newcomers_shut_out("there are too many connections")

    def _sorted_out(self) -> "_SortedOut":
        """Return the connections that may have to be shut, found in a single pass, since there may be thousands."""
        flooding: list[_Transport] = []
        idle: list[_Transport] = []
        local: list[_Transport] = []
        for one in self._known.values():
            if one.shut:
                continue
            if one.visitor.end is None:
                local.append(one)
                continue
            calls = self._calls_on(one)
            if calls.too_many:
                flooding.append(one)
            elif not calls.plays:
                idle.append(one)
        return _SortedOut(flooding, sorted(idle, key=_since), sorted(local, key=_since))

    def _calls_on(self, transport: _Transport) -> _Calls:
        end = transport.visitor.end
        return _NO_CALLS if end is None else self._calls.get(end, _NO_CALLS)

    def _last_at(self, transport: _Transport) -> float:
        return max(transport.since, self._calls_on(transport).last_at)

    def _too_many(self, idle: list[_Transport], now: float) -> Iterator[_Transport]:
        """Yield the idle connections over the limits: the oldest of each address, the address with the most first."""
        left = len(idle)
        for of_one in sorted(_by_origin(idle), key=len, reverse=True):
            settled = [one for one in of_one if now - one.since > _YOUNG_SECONDS]
            too_many = min(len(of_one), max(len(settled) - self.bounds.idle_of_one, left - self.bounds.idle, 0))
            yield from of_one[:too_many]
            left -= too_many

    def _too_many_of_processes(self, local: list[_Transport]) -> Iterator[_Transport]:
        """Yield the newest connections of each local process, beyond its limit."""
        for of_one in _by_origin(local):
            yield from of_one[self.bounds.of_one_process :]

    def _shut(self, transports: Iterable[_Transport], reason: str) -> None:
        for transport in transports:
            if not transport.shut:
                transport.shut = True
                shut(transport.socket)
                self._telemetry.connection_shut(transport.visitor.origin, reason)

    def _find_all(self) -> None:
        """List the open connections."""
        with self._lock:
            # Connections with open streams are certainly open, and need no check.
            playing = {one.socket.number: one.socket for one in self._known.values() if self._calls_on(one).plays}
        here = set(open_sockets(playing))
        with self._lock:
            self._update(here, self._now())

    def _update(self, here: set[Socket], now: float) -> None:
        for gone in self._known.keys() - here:
            self._ended(self._known.pop(gone))
        self._others &= here
        for found in here - self._known.keys() - self._others:
            visitor = visitor_at(found, address=self._address, port=self._port)
            if visitor is None:
                self._others.add(found)
            else:
                self._known[found] = _Transport(found, visitor, now)

    def _ended(self, transport: _Transport) -> None:
        end = transport.visitor.end
        calls = None if end is None else self._calls.get(end)
        if self._tls and calls is None and not transport.shut:
            self._telemetry.handshake_failed(transport.visitor.origin)
        # Open streams end a moment later, and then need the entry.
        if end is not None and calls is not None and not calls.plays:
            del self._calls[end]

    def _forget_calls(self, now: float) -> None:
        """Forget the calls on closed connections, also on those that were never seen open."""
        if len(self._calls) > len(self._known):
            here = {transport.visitor.end for transport in self._known.values()}
            kept = self.bounds.idle_seconds
            self._calls = {
                end: calls
                for end, calls in self._calls.items()
                if end in here or calls.plays or now - calls.last_at < kept
            }


def _since(transport: _Transport) -> float:
    return transport.since


def _by_origin(transports: Iterable[_Transport]) -> Iterable[list[_Transport]]:
    found = defaultdict[str, list[_Transport]](list)
    for transport in transports:
        found[transport.visitor.origin].append(transport)
    return found.values()
