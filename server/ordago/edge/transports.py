"""The connections below the calls: how many there are, and which of them are shut.

grpc tells nobody of a connection before a call comes on it, so that thousands could stand there unseen. But their
sockets are those of this process: they are looked at soon after something came or went. A connection on which no bot
plays has to ask for something now and then, and where there are too many of these the oldest have to go.
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
"""How often it is seen whether any came or went, and then looked at them, as long as that is little work."""
_FEW_FILES: Final = 128
"""Where fewer are open a look takes no longer than to go to another thread and back: 0.1 ms, and 3 ms at worst."""
_LOOK_ANYWAY_SECONDS: Final = 1.0
"""How often they are looked at where nothing says that any has come or gone: one may have come as another went."""
_LOOK_SHARE: Final = 0.2
"""How much of the time may go into that: where there are thousands of them they are looked at more seldom."""
_NOTICES_PER_SECOND: Final = 50.0
"""How often they are looked at besides since somebody has just connected."""
_CALLS_AT_ONCE: Final = 200
_CALLS_PER_SECOND: Final = 50.0
"""How many calls may come on one connection: a bot makes one for each time that it connects."""
_YOUNG_SECONDS: Final = 1.0
"""For so long a newcomer is not counted against its address: a class may come in all at once."""


@dataclass(frozen=True, slots=True)
class TransportBounds:
    """How many connections there may be."""

    idle_seconds: float = 10.0
    """How long nothing may be asked for on one on which no bot plays."""
    idle_of_one: int = 256
    """How many of these there may be from one address, when they have been there for longer than a moment."""
    idle: int = 1024
    """How many of these there may be in all."""
    of_one_process: int = 64
    """How many there may be of one process at a Unix socket, where it cannot be seen on which of them a bot plays."""
    in_all: int = 4096
    """How many grpc takes."""


@dataclass(slots=True)
class _Calls:
    """What comes on one connection."""

    last_at: float
    plays: int = 0
    """The streams of bots that are open."""
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
    """Connections that may have to go, and were not shut yet."""

    flooding: list[_Transport]
    """Those on which far too many calls came."""
    idle: list[_Transport]
    """Those of which it is known that no bot plays there, the oldest first."""
    local: list[_Transport]
    """Those of which it cannot be known, at a Unix socket, the oldest first."""


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
        """Begin without any.

        Args:
            telemetry: where it is told what is shut.
            tls: whether each begins with a handshake of TLS, which may fail.
            bounds: how many there may be.
            now: a clock, in seconds.
        """
        self.bounds = bounds or TransportBounds()
        """How many there may be."""
        self._telemetry = telemetry
        self._tls = tls
        self._now = now
        self._address, self._port = "", 0
        self._looking = threading.Lock()
        """Held by who asks the system, so that an older answer never follows a newer one."""
        self._lock = threading.Lock()
        """Held for a moment at a time: streams begin and end meanwhile."""
        self._known: dict[Socket, _Transport] = {}
        self._others: set[Socket] = set()
        """Sockets that are no connections of this server."""
        self._calls: dict[Endpoint, _Calls] = {}
        self._came = False
        """Whether somebody connected, anything was asked for, or a stream ended, since they were looked at."""
        self._files, self._looked_at = 0, 0.0
        self._notices = Allowance(per_second=_NOTICES_PER_SECOND, at_once=_NOTICES_PER_SECOND)

    def listen(self, address: str, port: int) -> None:
        """Look from now on at the connections to an address, as grpc was told it, and a port there, if it has one."""
        self._address, self._port = address, port

    # What comes on them

    def call(self, end: Endpoint | None) -> bool:
        """Note a call, and return whether it may be answered: a connection on which far too many come is shut."""
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
        """Note that a stream of a bot is open."""
        if end is not None:
            with self._lock:
                self._calls.setdefault(end, _Calls(self._now())).plays += 1

    def play_ends(self, end: Endpoint | None) -> None:
        """Note that it ended."""
        with self._lock:
            calls = None if end is None else self._calls.get(end)
            if calls is not None:
                self._came = True
                calls.plays -= 1
                calls.last_at = self._now()

    # Looking at them

    def notice(self) -> None:
        """Look who has just connected, as long as that is not too often: he may be gone at the next look."""
        self._came = True  # If he is, as many files are open as before.
        if not self._notices.take(at=self._now()) and self._looking.acquire(blocking=False):
            try:
                self._find_all()
            finally:
                self._looking.release()

    async def watch(self) -> None:
        """Look again and again."""
        while True:
            if not self._is_due():
                work_seconds = 0.0
            elif has_fewer_files_open(_FEW_FILES):
                work_seconds = self._look_and_go_on()
            else:
                # In another thread: the system takes its time to tell of thousands, and a stream must not wait for it.
                work_seconds = await asyncio.to_thread(self._look_and_go_on)
            await asyncio.sleep(max(_LOOK_SECONDS, work_seconds / _LOOK_SHARE))

    def _is_due(self) -> bool:
        """Say whether to look: something came or went, or the last look was a while ago."""
        files, now = number_of_files(), self._now()
        is_as_it_was = bool(files) and files == self._files and not self._came
        if is_as_it_was and now - self._looked_at < _LOOK_ANYWAY_SECONDS:
            return False
        self._came, self._files, self._looked_at = False, files, now
        return True

    def _look_and_go_on(self) -> float:
        """Look, and return how many seconds of the processor that took."""
        begun = time.thread_time()
        try:
            self.look()
        except Exception:  # noqa: BLE001 - whatever it is, those who play have nothing to do with it
            self._came = True  # They are looked at again as soon as may be.
            self._telemetry.failed_at("looking at the connections")
        return time.thread_time() - begun

    def look(self) -> None:
        """Look at all connections, and shut those that have to go."""
        with self._looking:
            self._find_all()
        with self._lock:
            now = self._now()
            self._forget_calls(now)
            sorted_out = self._sorted_out()
            self._shut(sorted_out.flooding, "too many calls")
            quiet = [one for one in sorted_out.idle if now - self._last_at(one) > self.bounds.idle_seconds]
            self._shut(quiet, f"nothing was asked for {self.bounds.idle_seconds:g} s")
            left = [one for one in sorted_out.idle if not one.shut]
            self._shut(self._too_many(left, now), "too many connections that ask for nothing")
            self._shut(self._too_many_of_processes(sorted_out.local), "too many connections of one process")
            self._telemetry.counters.gate.connections = len(self._known)
            if len(self._known) >= self.bounds.in_all:
                self._telemetry.newcomers_shut_out("there are too many connections")

    def _sorted_out(self) -> "_SortedOut":
        """Return the connections that may have to go. Where thousands play they are looked at once."""
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
        """Yield those that are too many, the oldest of each address, and first of that which has most."""
        left = len(idle)
        for of_one in sorted(_by_origin(idle), key=len, reverse=True):
            settled = [one for one in of_one if now - one.since > _YOUNG_SECONDS]
            too_many = min(len(of_one), max(len(settled) - self.bounds.idle_of_one, left - self.bounds.idle, 0))
            yield from of_one[:too_many]
            left -= too_many

    def _too_many_of_processes(self, local: list[_Transport]) -> Iterator[_Transport]:
        """Yield those of processes of this machine that came when theirs were enough."""
        for of_one in _by_origin(local):
            yield from of_one[self.bounds.of_one_process :]

    def _shut(self, transports: Iterable[_Transport], reason: str) -> None:
        for transport in transports:
            if not transport.shut:
                transport.shut = True
                shut(transport.socket)
                self._telemetry.connection_shut(transport.visitor.origin, reason)

    def _find_all(self) -> None:
        """Find the connections that are there now."""
        with self._lock:
            # These are there as long as their streams are.
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
        # Streams that are open still end a moment later.
        if end is not None and calls is not None and not calls.plays:
            del self._calls[end]

    def _forget_calls(self, now: float) -> None:
        """Forget what came on connections that have ended, or ended before they were ever seen."""
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
